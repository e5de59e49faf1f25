import Glibc
import ToolSupport
import Synchronization

/// Threads that each wait below a recursion of 20 calls: stacks to look at from outside, the same each time.
enum ThreadsScenario: Scenario {
  static let name = "threads"
  static let summary = "--threads threads that wait, each below 20 calls of its own"

  static func run(_ pace: Pace) {
    let gate = Gate()
    let threads = (0..<pace.options.threads).map { number in
      startThread {
        nameThread("waiter-\(number)")
        _ = descend(20, gate)
      }
    }
    while pace.wait(until: .infinity) {}
    gate.open()
    for case let thread? in threads { pthread_join(thread, nil) }
  }

  /// What is done after the call keeps it from becoming a jump.
  @inline(never)
  private static func descend(_ depth: Int, _ gate: Gate) -> Int {
    depth == 0 ? gate.wait() : descend(depth - 1, gate) + 1
  }
}

/// Where threads wait until it is opened: a pipe that is closed.
final class Gate: Sendable {
  private let ends: (read: Int32, write: Int32)

  init() {
    var pair: [Int32] = [-1, -1]
    ends = pipe(&pair) == 0 ? (pair[0], pair[1]) : (-1, -1)
  }

  func open() { close(ends.write) }

  @inline(never)
  func wait() -> Int {
    var byte: UInt8 = 0
    return read(ends.read, &byte, 1)
  }
}

/// Names the calling thread, as the kernel shows it: the first 15 bytes.
func nameThread(_ name: String) {
  let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
  guard file >= 0 else { return }
  _ = name.withCString { write(file, $0, strlen($0)) }
  close(file)
}
