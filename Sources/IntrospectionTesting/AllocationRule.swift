// Floor 5, allocations: counting, and judging the count.

/// How often something may allocate.
struct AllocationRule {
  var limit: Int
  var isExact: Bool
  var scope: AllocationScope
  var warmup: Int
  var ignored: IgnoredFunctions

  func judge(_ site: CallSite, _ body: () throws -> Void) rethrows -> Bool {
    for _ in 0..<max(0, warmup) { try body() }
    guard let counting = Counting(scope) else {
      if warmup <= 0 { try body() }
      return notCounted(site)
    }
    try body()
    return conclude(counting, isOnThisThread: true, site)
  }

  nonisolated(nonsending) func judge(
    _ site: CallSite, _ body: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> Bool {
    for _ in 0..<max(0, warmup) { try await body() }
    guard let counting = Counting(scope) else {
      if warmup <= 0 { try await body() }
      return notCounted(site)
    }
    try await body()
    return conclude(counting, isOnThisThread: false, site)
  }

  /// A count that runs.
  private final class Counting {
    let stacks = RecordedStacks()
    let stay = Stay()
    let count: AllocationCount

    init?(_ scope: AllocationScope) {
      guard let count = AllocationCount(scope, stacks: stacks) else { return nil }
      self.count = count
    }
  }

  private func notCounted(_ site: CallSite) -> Bool {
    Finding.warning("allocations were not checked: \(AllocationSupport.reason)", at: site)
    return true
  }

  private func conclude(_ counting: Counting, isOnThisThread: Bool, _ site: CallSite) -> Bool {
    let figures = counting.count.close()
    let otherAssertions = counting.stay.others
    let limit = UInt64(clamping: limit)
    var count = figures.allocations
    // An exact number that is met may still have ignored allocations in it.
    guard isExact ? count > 0 || limit > 0 : count > limit else { return true }
    let kept = counting.stacks?.allocations(figures.allocations) ?? []
    let sites = counting.stacks.map { _ in AllocationSites(kept, limit: limit, ignoring: ignored) }
    count -= min(count, UInt64(sites?.ignored ?? 0))
    guard isExact ? count != limit : count > limit else { return true }
    let facts = AllocationText.Facts(
      count: count, limit: limit, isExact: isExact, scope: scope,
      // On which threads an asynchronous closure ran is not known.
      byOthers: isOnThisThread ? figures.byOthers : 0, otherAssertions: otherAssertions, ignored: sites?.ignored ?? 0,
      withoutStack: figures.allocations > UInt64(kept.count) ? figures.allocations - UInt64(kept.count) : 0)
    Finding.failure(AllocationText.message(facts, sites), at: site)
    return false
  }
}
