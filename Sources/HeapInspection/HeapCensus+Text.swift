import MeasurementText
import Symbolication

/// What of a census is written, and in which order.
public struct CensusTextOptions: Sendable {
  /// Rows at the most; `nil` for all.
  public var limit: Int?
  /// Only types whose names match.
  public var filter: TypePattern?
  /// What the rows are ordered by.
  public var order = Order.bytes
  /// Whether the sizes of plain memory are listed too.
  public var showsUntyped = false

  /// What rows are ordered by, the largest first.
  public enum Order: String, Sendable, CaseIterable {
    case bytes
    case count
  }

  /// The 20 types with the most bytes.
  public init() { limit = 20 }
}

extension HeapCensus {
  /// The census with the types that match, in an order of their own; the totals stay those of the whole heap.
  public func selecting(_ filter: TypePattern?, order: CensusTextOptions.Order = .bytes) -> HeapCensus {
    var selection = self
    if let filter { selection.types.removeAll { !filter.matches($0.type) } }
    if order == .count {
      selection.types.sort { ($0.instances, $0.bytes, $1.type) > ($1.instances, $1.bytes, $0.type) }
    }
    return selection
  }

  /// The census as a table, the largest types first, and the heap as a whole below. Each line ends in a line feed.
  public func text(_ options: CensusTextOptions = CensusTextOptions()) -> String {
    let rows = selecting(options.filter, order: options.order).types
    let shown = rows.prefix(options.limit ?? rows.count)
    var table = [["instances", "bytes", "type", ""]]
    table += shown.map { row in
      [NumberText.grouped(row.instances), ByteText.format(row.bytes), TypeLabel.text(row.type), row.note]
    }
    if options.showsUntyped {
      table += untyped.map { group in
        let last = group.largestSize == .max ? "more" : NumberText.grouped(group.largestSize)
        return [
          NumberText.grouped(group.blocks), ByteText.format(group.bytes),
          "blocks of \(NumberText.grouped(group.smallestSize)) to \(last) bytes", "",
        ]
      }
    }
    var lines = Self.aligned(table)
    if shown.isEmpty {
      lines = [options.filter == nil ? "no object of Swift or C++ was found" : "no type matches"]
    }
    return (lines + [remainder(rows.dropFirst(shown.count), options), summary]).map { $0 + "\n" }.joined()
  }

  private static func aligned(_ table: [[String]]) -> [String] {
    let widths = (0..<3).map { column in table.map { $0[column].count }.max() ?? 0 }
    // Short names line the notes up; one long name does not push all notes away.
    let typeWidth = min(widths[2], 56)
    return table.map { row in
      let front =
        TableText.right(row[0], max(widths[0], 12)) + TableText.right(row[1], max(widths[1], 8) + 3) + "   "
      return row[3].isEmpty ? front + row[2] : front + TableText.left(row[2], typeWidth) + "   " + row[3]
    }
  }

  private func remainder(_ rest: ArraySlice<LiveType>, _ options: CensusTextOptions) -> String {
    var parts: [String] = []
    if !rest.isEmpty {
      let bytes = rest.reduce(0) { $0 &+ $1.bytes }
      parts.append("…  \(NumberText.grouped(rest.count)) more types, \(ByteText.format(bytes))")
    }
    let plain = untyped.reduce(0) { $0 &+ $1.bytes }
    if method == .walk {
      parts.append("\(ByteText.format(plain)) not Swift")
      let arenas = totals.arenas == 1 ? "1 arena" : "\(totals.arenas) arenas"
      parts.append("\(ByteText.format(totals.freeBytes)) free in \(arenas)")
    }
    return "   " + parts.joined(separator: ";  ")
  }

  private var summary: String {
    let time = DurationText.format(seconds: seconds)
    let state = stoppedSeconds > 0 ? "stopped for \(DurationText.format(seconds: stoppedSeconds))" : "not stopped"
    guard method == .walk else {
      return
        "about \(ByteText.format(totals.liveBytes)) in \(NumberText.grouped(totals.liveBlocks)) objects, looked for in "
        + "\(ByteText.format(totals.mappedBytes)) in \(time), process \(state); approximate: the allocator is not glibc's"
    }
    // A walk that lost a little must not be rounded up to one that lost nothing.
    let percent = (coverage * 10_000).rounded(.down) / 100
    return "\(ByteText.format(totals.liveBytes)) live in \(NumberText.grouped(totals.liveBlocks)) blocks, "
      + "\(NumberText.fixed(percent, decimals: percent == 100 ? 0 : 2)) % of the heap walked in \(time), process \(state)"
  }
}

extension LiveType {
  /// What else there is to know of a row.
  var note: String {
    var notes: [String] = []
    if let use = storage.flatMap(use) { notes.append(use) }
    if deinitialized > 0 {
      notes.append("and \(NumberText.grouped(deinitialized)) deinitialized, held by unowned references")
    }
    return notes.isEmpty ? "" : "(" + notes.joined(separator: "; ") + ")"
  }

  /// How many elements there are in a container or in all of them, and how much room is left.
  private func use(_ storage: StorageUse) -> String? {
    guard storage.capacity > 0 else { return nil }
    let unused = storage.unusedShare < 0.005 ? "" : "\(TableText.percent(storage.unusedShare)) of capacity unused"
    if type.hasSuffix("StringStorage") { return unused.isEmpty ? nil : unused }
    let isArray = type.contains("._ContiguousArrayStorage<")
    let elements = NumberText.grouped(storage.elements)
    guard instances != 1 else {
      return "\(elements) of \(NumberText.grouped(storage.capacity)) \(isArray ? "elements" : "slots")"
    }
    return "\(elements) elements" + (unused.isEmpty ? "" : ", " + unused)
  }
}
