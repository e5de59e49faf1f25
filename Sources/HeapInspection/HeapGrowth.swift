import TrendAnalysis

/// What grew between two or more censuses of one process: by type, and which types grew together.
public struct HeapGrowth: Hashable, Sendable, Codable {
  /// The process.
  public let processID: Int32
  /// Live bytes of the whole heap at each census.
  public let liveBytes: [UInt64]
  /// The types whose instances or bytes have grown: first those that grew every time, then the others, the one with the
  /// most bytes gained first.
  public let types: [TypeGrowth]
  /// Types that grew in step, instance for instance, by name. The order is that of ``types``.
  public let groups: [[String]]

  private enum CodingKeys: String, CodingKey {
    case processID = "pid"
    case liveBytes = "live_bytes"
    case types, groups
  }

  /// Compares censuses in the order in which they were taken.
  public init(_ censuses: [HeapCensus]) {
    processID = censuses.first?.processID ?? 0
    liveBytes = censuses.map(\.totals.liveBytes)
    let rows = Self.rows(censuses).filter { $0.instanceGrowth > 0 || $0.byteGrowth > 0 }
    types = rows.sorted { first, second in
      if first.growsEveryTime != second.growsEveryTime { return first.growsEveryTime }
      return (first.byteGrowth, first.instanceGrowth, second.type) > (
        second.byteGrowth, second.instanceGrowth, first.type
      )
    }
    groups = Self.groups(types)
  }

  private init(processID: Int32, liveBytes: [UInt64], types: [TypeGrowth], groups: [[String]]) {
    self.processID = processID
    self.liveBytes = liveBytes
    self.types = types
    self.groups = groups
  }

  /// The growth of the types that match; the heap's stays that of the whole heap.
  public func selecting(_ filter: TypePattern) -> HeapGrowth {
    HeapGrowth(
      processID: processID, liveBytes: liveBytes, types: types.filter { filter.matches($0.type) },
      groups: groups.map { $0.filter(filter.matches) }.filter { $0.count > 1 })
  }

  /// Bytes that the heap as a whole gained from the first census to the last; negative where it lost.
  public var byteGrowth: Int64 { TypeGrowth.change(liveBytes) }

  private static func rows(_ censuses: [HeapCensus]) -> [TypeGrowth] {
    var places: [String: Int] = [:]
    var rows: [TypeGrowth] = []
    for (index, census) in censuses.enumerated() {
      for type in census.types {
        let place = places[type.type] ?? rows.count
        if place == rows.count {
          places[type.type] = place
          let none = [UInt64](repeating: 0, count: censuses.count)
          rows.append(TypeGrowth(type: type.type, kind: type.kind, instances: none, bytes: none))
        }
        rows[place].instances[index] = type.instances
        rows[place].bytes[index] = type.bytes
      }
    }
    return rows
  }

  /// Only what grew every time is looked at: anything else agrees by chance.
  private static func groups(_ types: [TypeGrowth]) -> [[String]] {
    StepGroups.groups(
      types.filter { $0.growsEveryTime && $0.instanceGrowth > 0 }
        .map { ($0.type, $0.instanceSteps.map(Double.init)) })
  }
}

/// How one type grew over several censuses.
public struct TypeGrowth: Hashable, Sendable, Codable {
  /// The type's name in the censuses.
  public internal(set) var type: String
  /// What kind of object it is.
  public internal(set) var kind: LiveType.Kind
  /// Instances at each census; 0 where there were none.
  public internal(set) var instances: [UInt64]
  /// Bytes at each census.
  public internal(set) var bytes: [UInt64]

  /// Instances gained from the first census to the last.
  public var instanceGrowth: Int64 { Self.change(instances) }
  /// Bytes gained from the first census to the last.
  public var byteGrowth: Int64 { Self.change(bytes) }
  /// Instances gained from each census to the next.
  public var instanceSteps: [Int64] { Self.steps(instances) }
  /// Bytes gained from each census to the next.
  public var byteSteps: [Int64] { Self.steps(bytes) }

  /// Whether it grew from each census to the next, in instances or in bytes: what leaks does, and little else over several
  /// censuses.
  public var growsEveryTime: Bool {
    guard instances.count > 1 else { return false }
    return instanceSteps.allSatisfy { $0 > 0 } || byteSteps.allSatisfy { $0 > 0 }
  }

  static func change(_ values: [UInt64]) -> Int64 {
    guard let first = values.first, let last = values.last else { return 0 }
    return Int64(clamping: last) &- Int64(clamping: first)
  }

  private static func steps(_ values: [UInt64]) -> [Int64] {
    zip(values.dropFirst(), values).map { Int64(clamping: $0) &- Int64(clamping: $1) }
  }
}
