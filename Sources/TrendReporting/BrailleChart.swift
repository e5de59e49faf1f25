import MeasurementText

/// A chart in braille characters: two by four dots a character, which gives a terminal of 80 columns some 130 by 40 dots.
public struct BrailleChart: Sendable {
  /// Characters across, labels included; at least 24.
  public let width: Int
  /// Lines of the plot itself; the time axis is one more. At least 2.
  public let height: Int

  /// A chart of a size.
  public init(width: Int, height: Int) {
    self.width = max(width, 24)
    self.height = max(height, 2)
  }

  /// The lines of the chart, from the top, without line feeds: the plot with labels of bytes, then the time axis with a
  /// mark where the warm-up ends.
  public func lines(_ series: ChartSeries) -> [String] {
    guard !series.points.isEmpty else { return [] }
    let range = series.byteRange
    let labels = (0..<height).map { row in label(row, range) }
    let gutter = (labels.map(\.count).max() ?? 0) + 2
    let plotWidth = max(width - gutter, 8)
    var dots = DotGrid(columns: plotWidth, rows: height)
    draw(series, range, into: &dots)
    var lines = (0..<height).map { row in
      let label = labels[row]
      return String(repeating: " ", count: gutter - 2 - label.count) + label + (label.isEmpty ? " │" : " ┤")
        + dots.text(row: row)
    }
    lines.append(String(repeating: " ", count: gutter - 1) + timeAxis(series, plotWidth))
    return lines
  }

  private func label(_ row: Int, _ range: ClosedRange<Double>) -> String {
    guard row == 0 || row == height - 1 || (height >= 7 && row == height / 2) else { return "" }
    // The middle of the line that the label stands in.
    let share = 1 - (Double(row) + 0.5) / Double(height)
    return ByteText.format(range.lowerBound + share * (range.upperBound - range.lowerBound))
  }

  private func draw(_ series: ChartSeries, _ range: ClosedRange<Double>, into dots: inout DotGrid) {
    let scale = Double(dots.dotRows) / (range.upperBound - range.lowerBound)
    func row(_ bytes: Double) -> Int {
      let up = (bytes - range.lowerBound) * scale
      return dots.dotRows - 1 - min(max(Int(min(max(up, 0), 1e6)), 0), dots.dotRows - 1)
    }
    // Where there are fewer samples than columns, neighbours are joined by a line; a hole of several samples stays one.
    let reach = max(3, 2 * dots.dotColumns / max(series.points.count, 1) + 1)
    var previous: (column: Int, row: Int)?
    for (column, bytes) in series.columns(dots.dotColumns).enumerated() {
      guard let bytes else { continue }
      let top = row(bytes.high)
      let bottom = row(bytes.low)
      let middle = (top + bottom) / 2
      if let before = previous, column - before.column <= reach {
        join(before, (column, middle), in: &dots)
      }
      dots.setVertical(column: column, from: top, to: bottom)
      previous = (column, middle)
    }
  }

  /// A line between two dots: in each column the rows it passes through.
  private func join(_ from: (column: Int, row: Int), _ to: (column: Int, row: Int), in dots: inout DotGrid) {
    let columns = to.column - from.column
    var last = from.row
    for step in 1...max(columns, 1) {
      let next = from.row + (to.row - from.row) * step / max(columns, 1)
      dots.setVertical(column: from.column + step, from: min(last, next), to: max(last, next))
      last = next
    }
  }

  private func timeAxis(_ series: ChartSeries, _ plotWidth: Int) -> String {
    let end = DurationText.format(seconds: (series.end - series.start).rounded())
    var axis = Array(repeating: Character("─"), count: max(plotWidth - end.count - 1, 1))
    if let warmUpEnd = series.warmUpEnd, series.end > series.start {
      let place = Int((warmUpEnd - series.start) / (series.end - series.start) * Double(plotWidth))
      let label = " judged from " + DurationText.format(seconds: (warmUpEnd - series.start).rounded()) + " "
      if place >= 0, place + label.count + 1 < axis.count {
        axis[place] = "┊"
        axis.replaceSubrange((place + 1)...(place + label.count), with: label)
      }
    }
    return "└" + String(axis) + " " + end
  }
}

/// A grid of dots behind braille characters (Unicode block 2800: bits 0 to 7 are the dots, columns first, the lowest row
/// in the two highest bits).
private struct DotGrid {
  let columns: Int
  let rows: Int
  private var cells: [UInt8]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: 0, count: columns * rows)
  }

  var dotColumns: Int { columns * 2 }
  var dotRows: Int { rows * 4 }

  mutating func setVertical(column: Int, from top: Int, to bottom: Int) {
    guard 0..<dotColumns ~= column, top <= bottom else { return }
    let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
    for row in max(top, 0)...max(min(bottom, dotRows - 1), max(top, 0)) where row < dotRows {
      cells[row / 4 * columns + column / 2] |= bits[column % 2][row % 4]
    }
  }

  /// A line of characters; blanks at its end are left out.
  func text(row: Int) -> String {
    var text = ""
    let line = cells[(row * columns)..<((row + 1) * columns)]
    let last = line.lastIndex { $0 != 0 } ?? line.startIndex - 1
    for index in line.startIndex..<max(last + 1, line.startIndex) {
      let cell = line[index]
      text.unicodeScalars.append(cell == 0 ? " " : UnicodeScalar(0x2800 + UInt32(cell)) ?? " ")
    }
    return text
  }
}
