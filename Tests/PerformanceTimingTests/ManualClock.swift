import PerformanceTiming
import Synchronization

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
  private let wall = Mutex(Duration.zero)
  private let threadCPU = Mutex(Duration.zero)
  private let processCPU = Mutex(Duration.zero)

  func advance(_ time: Duration, threadCPU cpu: Duration = .zero, processCPU all: Duration = .zero) {
    wall.withLock { $0 += time }
    threadCPU.withLock { $0 += cpu }
    processCPU.withLock { $0 += all }
  }

  var clock: TimerClock {
    .custom(
      wall: { self.wall.withLock { $0 } }, threadCPU: { self.threadCPU.withLock { $0 } },
      processCPU: { self.processCPU.withLock { $0 } })
  }
}

/// What a timer has printed.
final class Lines: Sendable {
  private let text = Mutex("")

  var write: @Sendable (String) -> Void { { line in self.text.withLock { $0 += line } } }
  var all: [String] { text.withLock { $0.split(separator: "\n").map(String.init) } }
}

/// A timer that prints nothing, on a clock of the test's own.
func quietTimer(_ clock: ManualClock, _ change: (inout TimerOptions) -> Void = { _ in }) -> PerformanceTimer {
  var options = TimerOptions()
  options.clock = clock.clock
  options.printsSpans = false
  change(&options)
  return PerformanceTimer(options)
}

/// A timer that prints nothing, on the real clock.
func quietTimer(_ change: (inout TimerOptions) -> Void = { _ in }) -> PerformanceTimer {
  var options = TimerOptions()
  options.printsSpans = false
  change(&options)
  return PerformanceTimer(options)
}
