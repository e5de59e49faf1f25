import Glibc

/// Reads the clock in a loop: a process that is nearly always inside the kernel's vDSO, which stack walkers must cross.
enum SpinScenario: Scenario {
  static let name = "spin"
  static let summary = "reads the clock in a loop"

  static func run(_ pace: Pace) {
    // A glance at the signals and the time in between; the rest is reading the clock.
    while pace.wait(until: 0) { readClock(times: 1_000_000) }
  }

  @inline(never)
  private static func readClock(times: Int) {
    var time = timespec()
    for _ in 0..<times { clock_gettime(CLOCK_MONOTONIC, &time) }
  }
}
