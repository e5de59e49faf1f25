// Floor 5, memory: a measurement that runs.
import HeapInspection

/// Counts live bytes from its making on, and knows what was on the heap before.
final class MemoryMeasuring {
  /// Allocations of this share of the limit, and larger ones, are kept with their stacks.
  private static let recordedShare: UInt64 = 64

  private let rule: MemoryRule
  private let log: CensusLog?
  private let stacks: RecordedStacks?
  private let stay = Stay()
  private let count: AllocationCount
  private var peakBytes: Int64 = 0

  /// `nil` where allocations cannot be counted.
  init?(_ rule: MemoryRule) {
    self.rule = rule
    log = CensusSupport.problem == nil ? CensusLog() : nil
    stacks = RecordedStacks(smallestSize: max(rule.limit.bytes / Self.recordedShare, 1))
    // Twice: the first makes what every later one uses.
    try? Self.takeCensus(log)
    log?.removeAll()
    try? Self.takeCensus(log)
    guard let count = AllocationCount(rule.scope, stacks: stacks) else { return nil }
    self.count = count
  }

  private static func takeCensus(_ log: CensusLog?) throws {
    guard let log else { return }
    try log.append(CensusSupport.inspector().snapshot().census, ignoring: .none)
  }

  /// The peak is that of the tested code, and not of what follows it here.
  func endBody() { peakBytes = count.figures.peakBytes }

  var isAboveLimit: Bool { isTooMuch(count.figures.liveBytes) }

  func conclude(isOnThisThread: Bool, at site: CallSite) -> Bool {
    let figures = count.close()
    let measured = rule.measure == .peak ? peakBytes : figures.liveBytes
    guard isTooMuch(measured) else { return true }
    try? Self.takeCensus(log)
    let types = grownTypes()
    // What other threads have made is not in the count of one thread, so it cannot be taken out of it.
    let ignoredBytes =
      rule.scope == .thisThread
      ? 0 : types.filter { rule.ignored.matches($0.name) }.reduce(0) { $0 &+ $1.bytes }
    guard isTooMuch(measured &- ignoredBytes) else { return true }
    let facts = MemoryText.Facts(
      measure: rule.measure, limit: rule.limit, measured: measured &- ignoredBytes, ignored: ignoredBytes,
      retained: figures.liveBytes, scope: rule.scope, byOthers: isOnThisThread ? figures.byOthers : 0,
      otherAssertions: stay.others)
    let kept = stacks?.allocations(figures.recorded) ?? []
    let sites = AllocationSites(kept, limit: .max, ignoring: .none).sites.sorted { $0.bytes > $1.bytes }
    let counted = types.filter { !rule.ignored.matches($0.name) }
    Finding.failure(MemoryText.message(facts, types: counted, sites: sites), at: site)
    return false
  }

  private func isTooMuch(_ bytes: Int64) -> Bool { bytes >= 0 && UInt64(bytes) >= rule.limit.bytes }

  /// A type of which there is more than at the start.
  struct GrownType {
    var name: String
    var instances: Int64
    var bytes: Int64
  }

  /// This module's own objects are left out.
  private func grownTypes() -> [GrownType] {
    guard let log, log.count == 2 else { return [] }
    return CensusMatrix(log).rows.compactMap { row in
      let bytes = Int64(clamping: row.bytes[1]) &- Int64(clamping: row.bytes[0])
      let instances = Int64(clamping: row.instances[1]) &- Int64(clamping: row.instances[0])
      return row.kind != nil && bytes > 0 && !row.name.hasPrefix("IntrospectionTesting.")
        ? GrownType(name: row.name, instances: instances, bytes: bytes) : nil
    }.sorted { ($0.bytes, $1.name) > ($1.bytes, $0.name) }
  }
}
