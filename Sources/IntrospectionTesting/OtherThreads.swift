// Floor 5, growth: whether other threads allocate meanwhile.
import CAllocationCounter

/// Counts rounds in which other threads have allocated.
final class OtherThreads {
  private let count = AllocationCount(.process)
  private var allAtStart: UInt64 = 0
  private var ownAtStart: UInt = 0
  /// Rounds in which others have allocated too, or in which that is not known.
  private(set) var noisyRounds = 0

  func forget() { noisyRounds = 0 }

  func beginRound() {
    allAtStart = count?.figures.allocations ?? 0
    ownAtStart = cac_allocations()
  }

  /// Ends a round; on the thread that began it.
  func endRound() {
    let own = UInt64(cac_allocations() &- ownAtStart)
    let all = (count?.figures.allocations ?? 0) &- allAtStart
    if count == nil || all > own { noisyRounds += 1 }
  }
}
