import Glibc
import ToolSupport

/// Reads the clock in a loop below a recursion of 20 calls, on a thread of its own: nearly always inside the kernel's vDSO, whose
/// callers a stack walker must not lose.
enum ClockScenario: Scenario {
  static let name = "clock"
  static let summary = "reads the clock in a loop, below 20 calls"

  static func run(_ pace: Pace) {
    // Ends with the process: what it does has no end of its own.
    _ = startThread {
      nameThread("clock")
      _ = descend(20)
    }
    while pace.wait(until: .infinity) {}
  }

  @inline(never)
  private static func descend(_ depth: Int) -> Int { depth == 0 ? readClock() : descend(depth - 1) + 1 }

  @inline(never)
  private static func readClock() -> Int {
    var time = timespec()
    while time.tv_sec >= 0 { clock_gettime(CLOCK_MONOTONIC, &time) }
    return time.tv_sec
  }
}
