// Time, signals and the truth about live objects: what the scenarios share.

import Glibc
import Synchronization
import ToolSupport

/// Keeps a scenario's time, and answers when it is asked for its live objects.
///
/// All signals are taken by the main thread while it waits; nothing is done in a handler.
struct Pace {
  let options: ScenarioOptions
  private let scenario: String
  private let start: Double
  private let signals: sigset_t

  /// Prints the pid, which tells whoever launched the scenario that signals are understood from now on.
  init(scenario: String, options: ScenarioOptions) {
    self.scenario = scenario
    self.options = options
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGUSR1, SIGINT, SIGTERM] { sigaddset(&set, signal) }
    sigprocmask(SIG_BLOCK, &set, nil)
    signals = set
    start = monotonicSeconds()
    Console.writeOutput("pid \(getpid())\n")
  }

  /// Seconds since the scenario began.
  var elapsed: Double { monotonicSeconds() - start }

  /// Waits until a moment, in seconds since the beginning; false once the scenario is to end, after the counts have been
  /// printed: what the scenario holds is still alive then.
  func wait(until moment: Double) -> Bool {
    while true {
      let now = elapsed
      let left = min(moment, options.duration) - now
      var time = timespec()
      // At most an hour at a time, so that an endless wait has a value too.
      let seconds = min(max(left, 0), 3600)
      time.tv_sec = Int(seconds)
      time.tv_nsec = Int((seconds - Double(time.tv_sec)) * 1e9)
      var set = signals
      switch sigtimedwait(&set, nil, &time) {
      case SIGUSR1: printCounts()
      case SIGINT, SIGTERM:
        printCounts()
        return false
      default:
        if elapsed >= options.duration {
          printCounts()
          return false
        }
        if elapsed >= moment { return true }
      }
    }
  }

  /// Runs a step every `interval` seconds, on an absolute plan, until the scenario is to end.
  func every(_ interval: Double, _ step: (_ elapsed: Double) -> Void) {
    var tick = 0.0
    repeat {
      step(elapsed)
      tick = max(tick + 1, (elapsed / interval).rounded(.down))
    } while wait(until: tick * interval)
  }

  /// Prints the true number of live objects, as one line of JSON.
  private func printCounts() {
    let counts = LiveCount.all.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",")
    Console.writeOutput("{\"scenario\":\"\(scenario)\",\"pid\":\(getpid()),\"live\":{\(counts)}}\n")
  }
}

func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// How many objects of one type are alive: counted by the type itself, in `init` and `deinit`.
final class LiveCount: Sendable {
  let name: String
  private let count = Atomic<Int>(0)

  init(_ name: String) { self.name = name }

  func add() { count.add(1, ordering: .relaxed) }
  func remove() { count.subtract(1, ordering: .relaxed) }
  var value: Int { count.load(ordering: .relaxed) }

  static let sessions = LiveCount("Session")
  static let users = LiveCount("User")
  static let nodes = LiveCount("Node")
  static let requests = LiveCount("Request")
  static let entries = LiveCount("Entry")
  /// The counts that are reported.
  static let all = [sessions, users, nodes, requests, entries]
}
