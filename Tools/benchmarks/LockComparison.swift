// A lock or a once-token, under contention? The harness of PerformanceTiming answers; nothing here has a limit.

import Foundation
import PerformanceTiming
import Synchronization

enum LockComparison {
  private static let mutex = Mutex(0)
  private static let counter = Atomic<Int>(0)
  private static let flag = Atomic<Bool>(true)

  /// What `static let` makes of an initializer that is not a constant: a once-token that each use looks at.
  private enum Once {
    static let table: [Int] = (0..<64).map { $0 * Int.random(in: 1...9) }
  }

  /// A counter behind Foundation's lock.
  private final class LockedCounter: @unchecked Sendable {
    // Unchecked because of `value`, which is touched only while `lock` is held.
    private let lock = NSLock()
    private var value = 0

    func increment() {
      lock.lock()
      value &+= 1
      lock.unlock()
    }
  }

  static func run(_ arguments: [String]) {
    let threads = [1, 2, 4]
    let locked = LockedCounter()
    benchmark("Mutex, incremented", threads: threads) { mutex.withLock { $0 &+= 1 } }
    benchmark("NSLock, incremented", threads: threads) { locked.increment() }
    benchmark("atomic, incremented", threads: threads) { counter.add(1, ordering: .relaxed) }
    benchmark("atomic, read", threads: threads) { blackHole(flag.load(ordering: .acquiring)) }
    benchmark("lazy static, read", threads: threads) { blackHole(Once.table.count) }
    benchmark("a timer's span", threads: threads) { timer.measure("span") {} }
  }

  private static let timer: PerformanceTimer = {
    var options = TimerOptions()
    options.printsSpans = false
    return PerformanceTimer(options)
  }()
}
