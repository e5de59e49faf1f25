import CTimingSupport
import Synchronization

/// A lock for what takes nanoseconds: half the price of a `Mutex` when nobody waits. Those who wait give the processor
/// away, and sleep before long.
struct BriefLock: ~Copyable {
  private let isHeld = Atomic<Bool>(false)

  @inline(__always)
  func acquire() {
    if isHeld.exchange(true, ordering: .acquiring) { wait() }
  }

  @inline(__always)
  func release() { isHeld.store(false, ordering: .releasing) }

  @inline(never)
  private func wait() {
    var rounds: Int32 = 0
    repeat {
      cts_pause(rounds)
      rounds &+= 1
    } while isHeld.exchange(true, ordering: .acquiring)
  }
}
