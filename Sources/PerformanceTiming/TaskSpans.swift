import Synchronization

/// The open spans of all tasks, and of all handles: both may end on another thread than they began on.
///
/// Spread over stripes by the number of the task, so that two tasks meet in one only by chance (one in 128), and each is
/// held for a few nanoseconds.
final class TaskSpans: @unchecked Sendable {
  // Unchecked because of the pointer. It is set once; the stripes behind it live as long as this object; each stripe's
  // spans are touched only under its lock.
  private let stripes: UnsafeMutableRawPointer
  private static let count = 128

  private struct Stripe: ~Copyable {
    let lock = BriefLock()
    /// How many spans there are, readable without the lock.
    let occupancy = Atomic<Int>(0)
    var open = OpenSpans()
  }

  init() {
    stripes = OwnLine.allocate(Stripe.self, count: TaskSpans.count)
    for index in 0..<TaskSpans.count {
      (stripes + index * OwnLine.stride(Stripe.self)).bindMemory(to: Stripe.self, capacity: 1).initialize(to: Stripe())
    }
  }

  deinit {
    for index in 0..<TaskSpans.count { stripe(index).deinitialize(count: 1) }
    stripes.deallocate()
  }

  @inline(__always)
  private func stripe(_ index: Int) -> UnsafeMutablePointer<Stripe> {
    (stripes + index * OwnLine.stride(Stripe.self)).assumingMemoryBound(to: Stripe.self)
  }

  @inline(__always)
  private func stripe(owner: UInt64) -> UnsafeMutablePointer<Stripe> {
    // Tasks are numbered one after the other, handles too: the low bits spread them evenly.
    stripe(Int(truncatingIfNeeded: owner & UInt64(TaskSpans.count - 1)))
  }

  /// Works on the open spans of an owner, and of the others in its stripe.
  @inline(__always)
  func with<R>(owner: UInt64, _ body: (inout OpenSpans) -> R) -> R {
    with(stripe(owner: owner), body)
  }

  @inline(__always)
  private func with<R>(_ stripe: UnsafeMutablePointer<Stripe>, _ body: (inout OpenSpans) -> R) -> R {
    stripe.pointee.lock.acquire()
    let result = body(&stripe.pointee.open)
    stripe.pointee.occupancy.store(stripe.pointee.open.count, ordering: .relaxed)
    stripe.pointee.lock.release()
    return result
  }

  /// The innermost open span of a task. Costs a lock only where the stripe holds spans at all: what the task itself
  /// has put there, it sees.
  @inline(__always)
  func innermost(owner: UInt64) -> Enclosing? {
    guard stripe(owner: owner).pointee.occupancy.load(ordering: .relaxed) > 0 else { return nil }
    return with(owner: owner) { $0.innermost(owner: owner) }
  }

  /// All open spans, and all that were given up.
  func snapshot() -> (open: [OpenSpan], abandoned: AbandonedSpans) {
    var open: [OpenSpan] = []
    var abandoned = AbandonedSpans()
    for index in 0..<TaskSpans.count {
      with(stripe(index)) { spans in
        open += spans.all
        abandoned.add(spans.abandoned)
      }
    }
    return (open, abandoned)
  }
}
