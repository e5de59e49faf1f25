import Foundation
import PerformanceTiming
import Testing

@Suite struct PrintingTests {
  private let clock = ManualClock()
  private let lines = Lines()

  private func printingTimer(_ change: (inout TimerOptions) -> Void = { _ in }) -> PerformanceTimer {
    quietTimer(clock) {
      $0.printsSpans = true
      $0.write = lines.write
      change(&$0)
    }
  }

  @Test func eachFinishedSpanIsOnePlainLine() async {
    let timer = printingTimer()
    timer.measure("handle") {
      timer.start("parse")
      clock.advance(.microseconds(402))
      timer.stop("parse")
    }
    timer.begin("two\nlines").end()
    await timer.measure("waits") { await Task.yield() }
    #expect(lines.all == ["  parse  402 µs", "handle  402 µs", "two?lines  0 s", "waits  0 s"])
  }

  @Test func processorTimeAndAPrefixStandThereWhenAsked() {
    let timer = printingTimer {
      $0.linePrefix = "server: "
      $0.measuresThreadCPU = true
      $0.measuresProcessCPU = true
    }
    timer.measure("parse") {
      clock.advance(.milliseconds(2), threadCPU: .milliseconds(1), processCPU: .milliseconds(3))
    }
    #expect(lines.all == ["server: parse  2 ms  cpu(thread) 1 ms  cpu(process) 3 ms"])
  }

  @Test func theSettingMayChangeAtAnyTime() {
    let timer = printingTimer()
    timer.printsSpans = false
    timer.measure("silent") {}
    timer.stop("silent")
    timer.printsSpans = true
    timer.measure("said") {}
    #expect(timer.printsSpans)
    #expect(lines.all == ["said  0 s"])
  }

  @Test func byDefaultDebugBuildsPrint() {
    guard getenv(TimerOptions.printingVariable) == nil else { return }
    #if DEBUG
      #expect(TimerOptions().printsSpans)
    #else
      #expect(!TimerOptions().printsSpans)
    #endif
  }
}
