import Foundation
import PerformanceTiming
import Testing

@Suite struct ClockTests {
  private let clock = ManualClock()

  @Test func aClockThatGoesBackMakesNoNegativeTime() {
    let timer = quietTimer(clock)
    timer.start("back")
    clock.advance(.seconds(-5))
    #expect(timer.stop("back")?.wall == .zero)
    #expect(timer.report()["back"]?.total == .zero)
  }

  @Test func absurdTimesNeitherTrapNorWrap() {
    let timer = quietTimer(clock)
    let far = Duration.seconds(Int64.max / 4)
    clock.advance(.zero - far)
    for _ in 0..<3 {
      timer.start("far")
      clock.advance(far)
      clock.advance(far)
      #expect((timer.stop("far")?.wall ?? .zero) > .seconds(9_000_000_000))
      clock.advance(.zero - far)
      clock.advance(.zero - far)
    }
    let node = timer.report()["far"]
    #expect((node?.total ?? .zero) > .seconds(9_000_000_000))
    #expect(node?.count == 3)
  }

  @Test func processorTimeIsThereWhereItIsAskedFor() {
    let timer = quietTimer(clock) {
      $0.measuresThreadCPU = true
      $0.measuresProcessCPU = true
    }
    TestThread.run {
      timer.start("work")
      self.clock.advance(.seconds(10), threadCPU: .seconds(3), processCPU: .seconds(6))
      let timing = timer.stop("work")
      #expect(timing?.wall == .seconds(10))
      #expect(timing?.threadCPU == .seconds(3))
      #expect(timing?.processCPU == .seconds(6))
    }
    let node = timer.report()["work"]
    #expect(node?.threadCPU?.total == .seconds(3))
    #expect(node?.threadCPU?.count == 1)
    #expect(node?.processCPU?.total == .seconds(6))
  }

  @Test func aSpanThatEndsOnAnotherThreadHasNoThreadCPUTime() {
    let timer = quietTimer(clock) {
      $0.measuresThreadCPU = true
      $0.measuresProcessCPU = true
    }
    TestThread.run {
      let span = timer.begin("moves")
      self.clock.advance(.seconds(10), threadCPU: .seconds(3), processCPU: .seconds(6))
      TestThread.run {
        let timing = span.end()
        #expect(timing?.wall == .seconds(10))
        #expect(timing?.threadCPU == nil)
        #expect(timing?.processCPU == .seconds(6))
      }
    }
    #expect(timer.report()["moves"]?.threadCPU == nil)
  }

  @Test func anAsynchronousBodyHasNoThreadCPUTime() async {
    let timer = quietTimer(clock) {
      $0.measuresThreadCPU = true
      $0.measuresProcessCPU = true
    }
    await timer.measure("waits") {
      await Task.yield()
      clock.advance(.seconds(10), threadCPU: .seconds(3), processCPU: .seconds(6))
      timer.measure("works") { clock.advance(.seconds(2), threadCPU: .seconds(2)) }
    }
    let report = timer.report()
    #expect(report["waits"]?.threadCPU == nil)
    #expect(report["waits"]?.processCPU?.total == .seconds(6))
    #expect(report["waits", "works"]?.threadCPU?.total == .seconds(2))
  }

  // The real clocks, judged by bounds that no machine breaks.

  @Test func sleepingIsWallTimeAndNoProcessorTime() throws {
    for clock in [TimerClock.continuous, .suspending] {
      let timer = quietTimer {
        $0.clock = clock
        $0.measuresThreadCPU = true
      }
      timer.measure("sleep") { usleep(20_000) }
      let node = try #require(timer.report()["sleep"])
      #expect(node.total >= .milliseconds(20))
      let cpu = try #require(node.threadCPU)
      #expect(cpu.total < node.total)
    }
  }

  @Test func spinningIsProcessorTime() throws {
    let timer = quietTimer {
      $0.measuresThreadCPU = true
      $0.measuresProcessCPU = true
    }
    timer.measure("spin") {
      var usage = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &usage)
      let end = usage.tv_sec * 1_000_000_000 + usage.tv_nsec + 10_000_000
      repeat { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &usage) } while usage.tv_sec * 1_000_000_000 + usage.tv_nsec < end
    }
    let node = try #require(timer.report()["spin"])
    #expect(try #require(node.threadCPU).total >= .milliseconds(10))
    #expect(try #require(node.processCPU).total >= .milliseconds(10))
  }
}
