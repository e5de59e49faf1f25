// Floor 5, growth: whether other threads allocate meanwhile.
import CAllocationCounter

/// Counts rounds in which no other thread has allocated, and those in which one has.
final class OtherThreads {
  private let count = AllocationCount(.process)
  private var allAtStart: UInt64 = 0
  private var ownAtStart: UInt = 0
  /// Rounds in which only the asking thread has allocated.
  private(set) var quietRounds = 0
  /// Rounds in which others have allocated too, or in which that is not known.
  private(set) var noisyRounds = 0

  func forget() { (quietRounds, noisyRounds) = (0, 0) }

  func beginRound() {
    allAtStart = count?.figures.allocations ?? 0
    ownAtStart = cac_allocations()
  }

  /// Ends a round; on the thread that began it.
  func endRound() {
    let own = UInt64(cac_allocations() &- ownAtStart)
    let all = (count?.figures.allocations ?? 0) &- allAtStart
    if count != nil, all <= own { quietRounds += 1 } else { noisyRounds += 1 }
  }
}
