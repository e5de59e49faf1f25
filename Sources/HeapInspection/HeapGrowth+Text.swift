import MeasurementText
import Symbolication

extension HeapGrowth {
  /// The growth as a table: what grew every time first, with what each step added; then what grew on the whole.
  ///
  /// - Parameter limit: rows of each part at the most; `nil` for all.
  public func text(limit: Int? = 20) -> String {
    guard liveBytes.count > 1 else { return "one census shows no growth; it takes two at least\n" }
    let steady = types.filter(\.growsEveryTime)
    let others = types.filter { !$0.growsEveryTime }
    let times = liveBytes.count - 1
    let layout = GrowthTable(Array(steady.prefix(limit ?? .max)) + Array(others.prefix(limit ?? .max)))
    var lines: [String] = []
    if !steady.isEmpty {
      lines.append(times == 1 ? "grew between the two censuses" : "grew each of \(times) times")
      lines += layout.lines(steady, limit)
    }
    if !others.isEmpty, times > 1 {
      lines.append("grew, but not each time")
      lines += layout.lines(others, limit)
    }
    if types.isEmpty { lines.append("no type has more instances or bytes than at first") }
    for group in groups { lines.append(Self.togetherLine(group)) }
    let first = ByteText.format(liveBytes.first ?? 0)
    let last = ByteText.format(liveBytes.last ?? 0)
    lines.append(
      "live  \(first) -> \(last)  (\(ByteText.format(byteGrowth, sign: .always))) in \(liveBytes.count) censuses")
    return lines.map { $0 + "\n" }.joined()
  }

  private static func togetherLine(_ group: [String]) -> String {
    let shown = group.prefix(6).map(TypeLabel.text).joined(separator: ", ")
    let more = group.count > 6 ? " and \(group.count - 6) more" : ""
    return "grew together  " + shown + more
  }
}

/// The columns of types that grew, equally wide in every part of the text.
private struct GrowthTable {
  private var widths: [Int]
  private let hasSteps: Bool

  private static let heading = ["instances", "each time", "bytes", "type"]

  init(_ rows: [TypeGrowth]) {
    let cells = rows.map(Self.cells) + [Self.heading]
    widths = (0..<3).map { column in max(cells.map { $0[column].count }.max() ?? 0, 12) }
    hasSteps = (rows.first?.instances.count ?? 0) > 2
  }

  func lines(_ rows: [TypeGrowth], _ limit: Int?) -> [String] {
    let shown = rows.prefix(limit ?? rows.count)
    var lines = ([Self.heading] + shown.map(Self.cells)).map { row in
      TableText.right(row[0], widths[0]) + (hasSteps ? "   " + TableText.left(row[1], widths[1]) : "")
        + TableText.right(row[2], widths[2] + 1) + "   " + row[3]
    }
    if rows.count > shown.count {
      let bytes = rows.dropFirst(shown.count).reduce(0) { $0 &+ $1.byteGrowth }
      lines.append("   …  \(rows.count - shown.count) more types, \(ByteText.format(bytes, sign: .always))")
    }
    return lines
  }

  private static func cells(_ row: TypeGrowth) -> [String] {
    [
      signed(row.instanceGrowth), steps(row.instanceSteps), ByteText.format(row.byteGrowth, sign: .always),
      TypeLabel.text(row.type) + (row.instanceGrowth == 0 ? "   (grew in place)" : ""),
    ]
  }

  /// What each step added; of many steps the first and the last ones.
  private static func steps(_ steps: [Int64]) -> String {
    guard steps.count > 6 else { return steps.map(signed).joined(separator: " ") }
    return steps.prefix(3).map(signed).joined(separator: " ") + " … "
      + steps.suffix(2).map(signed).joined(separator: " ")
  }

  private static func signed(_ count: Int64) -> String {
    (count < 0 ? "-" : "+") + NumberText.grouped(count.magnitude)
  }
}
