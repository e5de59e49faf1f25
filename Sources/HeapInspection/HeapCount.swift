import SwiftMetadata

/// What one pass has counted, taken off its pages: not yet named.
struct HeapCount {
  var method: HeapCensus.Method
  var totals: HeapTotals
  var tallies: [TypeTally]
  var plain: [HeapWalk.PlainTally] = []
  var bytesRead: UInt64
  /// Blocks that look like objects of a runtime that is not known.
  var unknownObjects: Int

  /// Whether objects are there, and not one of a class of known form.
  var isOfUnknownRuntime: Bool {
    unknownObjects >= 16 && !tallies.contains { $0.form == .object || $0.form == .actor }
  }

  init(_ walk: borrowing HeapWalk) {
    method = .walk
    totals = walk.totals
    tallies = walk.objects.tallies.filter { $0.bytes > 0 }
    for index in 0..<HeapWalk.plainGroups { plain.append(walk.plain[index]) }
    bytesRead = walk.bytesRead
    unknownObjects = walk.objects.unknownObjects
  }

  init(_ scan: borrowing HeapScan) {
    method = .scan
    totals = scan.totals
    tallies = scan.objects.tallies.filter { $0.bytes > 0 }
    bytesRead = scan.bytesRead
    unknownObjects = scan.objects.unknownObjects
  }
}

extension HeapCensus {
  init(
    _ count: HeapCount, of processID: Int32, names: ObjectNames, seconds: Double, stoppedSeconds: Double
  ) {
    self.processID = processID
    method = count.method
    coverage = count.totals.coverage
    totals = count.totals
    self.seconds = seconds
    self.stoppedSeconds = stoppedSeconds
    bytesRead = count.bytesRead
    types = Self.types(count.tallies, names)
    untyped = count.plain.enumerated().compactMap { index, group in
      guard group.blocks > 0, index > 0 else { return nil }
      let largest = index >= 64 ? UInt64.max : (1 << UInt64(index)) - 1
      return UntypedBlocks(
        smallestSize: 1 << UInt64(index - 1), largestSize: largest, blocks: group.blocks, bytes: group.bytes)
    }
    untyped.sort { $0.bytes > $1.bytes }
  }

  /// One row for each name. Closures that capture the same are one row; different classes of one name are numbered, in the
  /// order of their addresses, so that two censuses of a process number them alike.
  private static func types(_ tallies: [TypeTally], _ names: ObjectNames) -> [LiveType] {
    var rows: [LiveType] = []
    var places: [String: Int] = [:]
    var uses: [String: Int] = [:]
    for tally in tallies.sorted(by: { $0.word < $1.word }) {
      guard let kind = LiveType.Kind(tally.form) else { continue }
      var name = names.name(of: tally)
      if kind == .class || kind == .actor || kind == .error {
        uses[name, default: 0] += 1
        if let number = uses[name], number > 1 { name += " (\(number))" }
      }
      if let place = places[name] {
        rows[place].add(tally)
      } else {
        places[name] = rows.count
        rows.append(LiveType(tally, name, kind))
      }
    }
    return rows.sorted { ($0.bytes, $0.instances, $1.type) > ($1.bytes, $1.instances, $0.type) }
  }
}

extension LiveType {
  fileprivate init(_ tally: TypeTally, _ name: String, _ kind: Kind) {
    self.init(
      type: name, kind: kind, instances: tally.instances, bytes: tally.bytes, deinitialized: tally.deinitialized,
      storage: tally.storage == .none ? nil : StorageUse(elements: tally.elements, capacity: tally.capacity))
  }

  fileprivate mutating func add(_ tally: TypeTally) {
    instances &+= tally.instances
    bytes &+= tally.bytes
    deinitialized &+= tally.deinitialized
  }
}

extension LiveType.Kind {
  init?(_ form: TypeTally.Form) {
    switch form {
    case .none, .unknown, .anyError: return nil
    case .object: self = .class
    case .actor: self = .actor
    case .closure: self = .closure
    case .box: self = .box
    case .error: self = .error
    case .task, .job: self = .task
    case .cxx: self = .cxx
    }
  }
}
