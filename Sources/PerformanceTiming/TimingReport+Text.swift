import MeasurementText

extension TimingReport {
  /// The report as a person reads it: a table with one line for each place in the tree, each duration with its unit, then
  /// what is still running, what will never end, and what was stopped without a start.
  public var text: String {
    var lines = table
    if roots.isEmpty { lines = ["no span has ended"] }
    lines += notes
    return lines.map { $0 + "\n" }.joined()
  }

  private var table: [String] {
    let all = nodes
    let hasThreadCPU = all.contains { $0.node.threadCPU != nil }
    let hasProcessCPU = all.contains { $0.node.processCPU != nil }
    var rows = [["name", "count", "total", "self", "min", "mean", "p50", "p90", "p99", "max"]]
    if hasThreadCPU { rows[0].append("cpu(thread)") }
    if hasProcessCPU { rows[0].append("cpu(process)") }
    for (depth, node) in all {
      var row = [String(repeating: "  ", count: depth) + LineText.bounded(node.name)]
      guard node.count > 0 else {
        // A place whose own spans are all still open.
        rows.append(row + ["0"] + Array(repeating: "-", count: rows[0].count - 2))
        continue
      }
      row.append(NumberText.grouped(node.count))
      row += [node.total, node.selfTime, node.min, node.mean, node.p50, node.p90, node.p99, node.max].map {
        DurationText.format($0)
      }
      if hasThreadCPU { row.append(Self.processor(node.threadCPU, of: node.count)) }
      if hasProcessCPU { row.append(Self.processor(node.processCPU, of: node.count)) }
      rows.append(row)
    }
    return TextTable.lines(rows)
  }

  private static func processor(_ time: ProcessorTotal?, of count: UInt64) -> String {
    guard let time else { return "-" }
    let text = DurationText.format(time.total)
    return time.count == count ? text : text + " (of \(NumberText.grouped(time.count)))"
  }

  private var notes: [String] {
    var lines: [String] = []
    if !running.isEmpty {
      lines.append("still running: " + Self.list(running.map { "\($0.name) (\(DurationText.format($0.elapsed)))" }))
    }
    if !abandoned.isEmpty { lines.append("begun and never ended: " + Self.list(abandoned.map(Self.counted))) }
    if !unmatchedStops.isEmpty {
      lines.append("stopped without a start: " + Self.list(unmatchedStops.map(Self.counted)))
    }
    if otherCount > 0 {
      lines.append(
        "(other): \(NumberText.grouped(otherCount)) spans beyond the limits"
          + " (\(NumberText.grouped(nameLimit)) names, and places and depth of the tree)")
    }
    return lines
  }

  private static func counted(_ entry: NameCount) -> String {
    entry.count == 1
      ? LineText.bounded(entry.name) : "\(LineText.bounded(entry.name)) (\(NumberText.grouped(entry.count)) times)"
  }

  /// The first ten, and how many more.
  private static func list(_ entries: [String]) -> String {
    let more = entries.count - 10
    let text = entries.prefix(10).map { LineText.bounded($0, limit: 100) }.joined(separator: ", ")
    return more > 0 ? text + ", and \(NumberText.grouped(more)) more" : text
  }
}

/// Rows of cells as lines: the first column to the left, the others to the right.
enum TextTable {
  static func lines(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? (row.count == 1 ? cell : cell + padding) : padding + cell
      }.joined(separator: "  ")
    }
  }
}
