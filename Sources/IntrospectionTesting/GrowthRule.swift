// Floor 5, growth: when something counts as growing. Pure.
import HeapInspection

/// What grows in every round.
///
/// - A type grows where it has more instances after each round than before it, or more bytes, or its arrays, dictionaries and sets
///   hold more elements (a dictionary that gains an entry a round grows its storage only now and then).
/// - The heap grows where it has more live bytes after each round than before it.
/// - What has gone away again when the last census is taken has not grown. The pause before it is up to 1 s, for what ends late.
///
/// Every round, and not most rounds or the mean: a cache that fills, a buffer that doubles and a table that is rebuilt grow in
/// some rounds and then stop. Of two equally likely directions, five rounds in a row the same one by chance is 1 in 32 for one
/// type; but what goes up and down comes down again within the pause, or grows in it.
struct GrowthRule {
  /// The least that a type must gain in a round.
  static let instanceFloor: UInt64 = 1
  /// The least that bytes must gain in a round: less than the smallest block of glibc, 24 bytes, is no block.
  static let byteFloor: UInt64 = 16
  /// What malloc_usable_size says of libdispatch's continuations (64 bytes, DISPATCH_CONTINUATION_SIZE). The thread that has run a
  /// continuation keeps it for its own next one, up to 1024 a thread, while the thread that queues the work allocates new ones: every
  /// round that changes threads grows so, and it is no leak.
  private static let continuationBytes: Int64 = 72
  /// glibc hands out a block with 16 bytes more where the rest would be too small to be a block of its own.
  private static let slack: Int64 = 16

  /// Where the series are in the log: for each, the census before its first round and the number of rounds.
  struct Series {
    var first: Int
    var rounds: Int
    /// The last census of all of its pauses.
    var last: Int
  }

  var series: [Series]

  /// How one type has grown.
  struct Growth {
    /// What made it count.
    enum Measure { case instances, bytes, elements }

    var name: String
    var kind: LiveType.Kind?
    var measure: Measure
    /// Of the last series.
    var instanceSteps: [Int64]
    var byteSteps: [Int64]
    var elementSteps: [Int64]
    /// It also gained while the scenario did not run.
    var grewInPause: Bool
  }

  /// Types that grew in every round of every series, those with the most bytes first; blocks without a type left out.
  func growingTypes(_ matrix: CensusMatrix) -> [Growth] {
    matrix.rows.filter { $0.kind != nil }.compactMap(growth).sorted {
      ($0.byteSum, $0.instanceSum, $1.name) > ($1.byteSum, $1.instanceSum, $0.name)
    }
  }

  /// Whether there are any such types: what ``growingTypes(_:)`` finds, without making it.
  func hasGrowingTypes(_ matrix: CensusMatrix) -> Bool { matrix.rows.contains { $0.kind != nil && growth($0) != nil } }

  /// Groups of blocks without a type that grew in every round.
  func growingGroups(_ matrix: CensusMatrix) -> [Growth] {
    matrix.rows.filter { $0.kind == nil && !isDispatchCache($0) }.compactMap(growth).sorted { $0.byteSum > $1.byteSum }
  }

  /// Whether the heap as a whole grew in every round.
  func heapGrows(_ matrix: CensusMatrix) -> Bool { grows(judgedBytes(matrix), by: Self.byteFloor) }

  /// Live bytes gained in each round of the last series.
  func heapSteps(_ matrix: CensusMatrix) -> [Int64] { steps(judgedBytes(matrix)) }

  private func judgedBytes(_ matrix: CensusMatrix) -> [UInt64] {
    guard let cache = matrix.rows.first(where: isDispatchCache) else { return matrix.liveBytes }
    return zip(matrix.liveBytes, cache.bytes).map { $0 &- min($0, $1) }
  }

  /// Whether all that blocks without a type have gained are such continuations.
  private func isDispatchCache(_ row: CensusMatrix.TypeRow) -> Bool {
    guard row.kind == nil else { return false }
    let blocks = steps(row.instances)
    return blocks.contains { $0 > 0 }
      && zip(blocks, steps(row.bytes)).allSatisfy { count, bytes in
        let excess = bytes &- count &* Self.continuationBytes
        return excess.magnitude <= max(1, count.magnitude) &* Self.slack.magnitude
      }
  }

  /// Whether a group of blocks is the one that such continuations are in. Groups go by powers of two.
  static func mayBeContinuations(_ group: Growth) -> Bool {
    guard group.kind == nil, group.instanceSum > 0 else { return false }
    let smallest: Int64 = 1 << (Int64.bitWidth - 1 - continuationBytes.leadingZeroBitCount)
    return (smallest..<2 * smallest).contains(group.byteSum / group.instanceSum)
  }

  private func growth(_ row: CensusMatrix.TypeRow) -> Growth? {
    let measure: Growth.Measure
    let values: [UInt64]
    if grows(row.instances, by: Self.instanceFloor) {
      (measure, values) = (.instances, row.instances)
    } else if grows(row.bytes, by: Self.byteFloor) {
      (measure, values) = (.bytes, row.bytes)
    } else if grows(row.elements, by: Self.instanceFloor) {
      (measure, values) = (.elements, row.elements)
    } else {
      return nil
    }
    return Growth(
      name: row.name, kind: row.kind, measure: measure, instanceSteps: steps(row.instances),
      byteSteps: steps(row.bytes), elementSteps: steps(row.elements), grewInPause: grewInPause(values))
  }

  private func grows(_ values: [UInt64], by floor: UInt64) -> Bool {
    !series.isEmpty
      && series.allSatisfy { series in
        let counted = values[series.first...(series.first + series.rounds)]
        let everyRound = zip(counted.dropFirst(), counted).allSatisfy { $0 >= $1 &+ floor }
        // What is still there after the pause.
        return everyRound && values[series.last] >= values[series.first] &+ floor &* UInt64(clamping: series.rounds)
      }
  }

  private func grewInPause(_ values: [UInt64]) -> Bool {
    series.contains { values[$0.last] > values[$0.first + $0.rounds] }
  }

  private func steps(_ values: [UInt64]) -> [Int64] {
    guard let series = series.last else { return [] }
    let counted = values[series.first...(series.first + series.rounds)]
    return zip(counted.dropFirst(), counted).map { Int64(clamping: $0) &- Int64(clamping: $1) }
  }
}

extension GrowthRule.Growth {
  var byteSum: Int64 { byteSteps.reduce(0) { $0 &+ $1 } }
  var instanceSum: Int64 { instanceSteps.reduce(0) { $0 &+ $1 } }
}
