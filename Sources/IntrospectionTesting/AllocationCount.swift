// Floor 5: what is allocated between two moments.
import CAllocationCounter

/// Counts allocations from when it is opened until it is closed. While one is open, an allocation and its free cost some 90 ns more.
final class AllocationCount {
  /// What was counted.
  struct Figures {
    var allocations: UInt64
    /// Handed out less what was freed, and the most that this has been, in bytes (malloc_usable_size).
    var liveBytes: Int64
    var peakBytes: Int64
    /// Allocations of other threads, where all threads are counted.
    var byOthers: UInt64
    /// Allocations that were large enough for their stacks to be kept.
    var recorded: UInt64

    fileprivate init(_ figures: cac_figures, own: UInt64, scope: AllocationScope) {
      (allocations, liveBytes, peakBytes) = (figures.allocations, figures.live_bytes, figures.peak_bytes)
      recorded = figures.recorded
      byOthers = scope == .process && figures.allocations > own ? figures.allocations &- own : 0
    }
  }

  private let number: Int32
  private let scope: AllocationScope
  private let ownAtStart: UInt
  private var isOpen = true
  /// The stacks of what was allocated; `nil` where none are kept.
  let stacks: RecordedStacks?

  /// Opens a count; `nil` where 32 are open, or allocations cannot be counted in this program.
  ///
  /// - Parameter stacks: where to keep the stacks of allocations.
  init?(_ scope: AllocationScope, stacks: RecordedStacks? = nil) {
    guard AllocationSupport.isRight == true else { return nil }
    self.scope = scope
    self.stacks = stacks
    if let stacks {
      // A thread's first capture takes 1 ms and allocates.
      stacks.warmUp()
      var record = stacks.record
      ownAtStart = cac_allocations()
      number = cac_open(scope == .process ? 1 : 0, &record)
    } else {
      ownAtStart = cac_allocations()
      number = cac_open(scope == .process ? 1 : 0, nil)
    }
    guard number >= 0 else {
      isOpen = false
      return nil
    }
  }

  /// What has been counted so far.
  var figures: Figures { Figures(cac_read(number), own: own, scope: scope) }

  /// Ends the count.
  func close() -> Figures {
    isOpen = false
    let own = own
    return Figures(cac_close(number), own: own, scope: scope)
  }

  private var own: UInt64 { UInt64(cac_allocations() &- ownAtStart) }

  deinit { if isOpen { _ = cac_close(number) } }
}
