import Foundation
import PerformanceTiming
import Synchronization
import Testing

@Suite struct ThreadTests {
  private let clock = ManualClock()

  @Test func whatThreadsMeasuredOutlivesThem() {
    let timer = quietTimer(clock) { $0.traceLimit = 10_000 }
    for _ in 0..<200 {
      TestThread.run {
        timer.measure("work") { timer.measure("part") {} }
      }
    }
    let report = timer.report()
    #expect(report["work"]?.count == 200)
    #expect(report["work", "part"]?.count == 200)
    #expect(timer.trace().entries.count == 400)
  }

  @Test func threadsThatEndLeaveNoMemoryBehind() throws {
    let timer = quietTimer()
    func threads(_ count: Int) {
      for _ in 0..<count { TestThread.run { for _ in 0..<10 { timer.measure("work") {} } } }
    }
    threads(50)
    let before = try residentBytes()
    threads(5000)
    // A thread's recorder is 20 KiB: those that stayed would be 100 MB. Other tests run at the same time, so the bound is wide.
    #expect(try residentBytes() - before < 64_000_000)
    #expect(timer.report()["work"]?.count == 50_500)
  }

  @Test func thirtyTwoThreadsAtOnceLoseNothingWhileReportsAreMade() {
    let timer = quietTimer { $0.traceLimit = 1000 }
    let isDone = Flag()
    let counts = Mutex<[UInt64]>([])
    TestThread.run(33) { number in
      if number == 32 {
        while !isDone.isSet {
          let report = timer.report()
          let count = report["outer"]?.count ?? 0
          // Whatever the moment, the figures fit each other.
          if let node = report["outer", "inner"] {
            #expect(node.min <= node.p50 && node.p50 <= node.max && node.count >= count)
          }
          counts.withLock { $0.append(count) }
        }
      } else {
        for index in 0..<500 {
          timer.start("outer")
          timer.measure("inner") {}
          timer.measure("name \(index % 20)") {}
          timer.stop("outer")
        }
        if timer.report()["outer"]?.count == 32 * 500 { isDone.set() }
      }
    }
    let report = timer.report()
    #expect(report["outer"]?.count == 32 * 500)
    #expect(report["outer", "inner"]?.count == 32 * 500)
    #expect((0..<20).allSatisfy { report["outer", "name \($0)"]?.count == 32 * 25 })
    #expect(report.running.isEmpty && report.abandoned.isEmpty && report.unmatchedStops.isEmpty)
    let seen = counts.withLock { $0 }
    #expect(seen == seen.sorted())
  }

  @Test func timersThatGoLeaveTheThreadsAlone() throws {
    @Sendable func timers(_ count: Int) {
      for _ in 0..<count {
        let timer = quietTimer(clock)
        for _ in 0..<3 { timer.measure("work") {} }
        #expect(timer.report()["work"]?.count == 3)
      }
    }
    // All on one thread, which lives on.
    TestThread.run {
      timers(50)
      let before = (try? self.residentBytes()) ?? 0
      timers(3000)
      // A timer that stayed would be 36 KiB with its recorder, all of them 108 MB.
      #expect(((try? self.residentBytes()) ?? .max) - before < 64_000_000)
    }
  }

  @Test func aTimerThatGoesInTheMidstOfASpanIsNoTrouble() {
    TestThread.run {
      let timer = quietTimer(self.clock)
      timer.start("open")
      let span = timer.begin("handle")
      withExtendedLifetime(span) {}
    }
    TestThread.run { quietTimer(self.clock).measure("alone") {} }
  }

  @Test func manyTimersOnOneThreadKeepTheirSpansApart() {
    let timers = (0..<20).map { _ in quietTimer(clock) }
    for round in 1...3 {
      for timer in timers { timer.start("span") }
      clock.advance(.seconds(round))
      for timer in timers { timer.stop("span") }
    }
    #expect(timers.allSatisfy { $0.report()["span"]?.total == .seconds(6) })
  }

  private func residentBytes() throws -> Int {
    let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return (Int(statm[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}

/// Something that several threads may set.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  func set() { value.store(true, ordering: .releasing) }
  var isSet: Bool { value.load(ordering: .acquiring) }
}
