import MeasurementText
import TrendAnalysis

/// A picture of a run as SVG: one file without references, for a browser, a wiki or a build's artefacts.
///
/// Each pixel column shows the range of its samples; the warm-up is shaded, the floors that were compared are steps. The
/// colours follow the reader's choice of a dark or a light page, and the picture has its own background.
public struct TrendPicture: Sendable {
  private static let width = 960.0
  private static let height = 440.0
  private static let plot = (left: 84.0, top: 84.0, right: 936.0, bottom: 372.0)

  private let series: ChartSeries
  private let headline: String
  private let reason: String
  private let types: String
  private let footer: String
  private let verdict: Verdict

  /// A picture of a report.
  public init(_ report: TrendReport, series: ChartSeries) {
    self.series = series
    headline = report.headline
    reason = report.reasonLines.first ?? ""
    types = report.types.map { TypeLines(figures: $0).summary } ?? ""
    footer = ([LineText.bounded(report.subject.name, limit: 48)] + report.figures).joined(separator: " · ")
    verdict = report.assessment.verdict
  }

  /// The picture's text.
  public func svg() -> String {
    let range = series.byteRange
    var parts = [head]
    if let warmUpEnd = series.warmUpEnd, warmUpEnd > series.start { parts.append(warmUp(until: warmUpEnd)) }
    parts += AxisTicks.bytes(range, count: 6).map { byteTick($0.value, $0.label, range) }
    parts += AxisTicks.times(duration: series.end - series.start, count: 8).map { timeTick($0.value, $0.label) }
    parts.append(envelope(range))
    parts += floorSteps(range)
    parts.append(tail)
    return parts.joined(separator: "\n") + "\n"
  }

  // MARK: - Places

  private func x(_ elapsed: Double) -> Double {
    let span = max(series.end - series.start, .leastNormalMagnitude)
    return Self.plot.left + min(max((elapsed - series.start) / span, 0), 1) * (Self.plot.right - Self.plot.left)
  }

  private func y(_ bytes: Double, _ range: ClosedRange<Double>) -> Double {
    let share = (bytes - range.lowerBound) / (range.upperBound - range.lowerBound)
    return Self.plot.bottom - min(max(share, 0), 1) * (Self.plot.bottom - Self.plot.top)
  }

  private func number(_ value: Double) -> String { NumberText.fixed(value, decimals: 1) }

  // MARK: - Parts

  private var head: String {
    let size = "\(Int(Self.width)) \(Int(Self.height))"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" role="img" aria-labelledby="title reason" \
      font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="12">
      <style>
      .page { fill: #ffffff } .ink { fill: #1b1f24 } .faint { fill: #5f6973 } .grid { stroke: #e3e6ea } .warm { fill: #f1f3f5 }
      .range { fill: #a9c8e8 } .line { fill: none; stroke: #2f6fb3; stroke-width: 1.5; stroke-linejoin: round }
      .floor { stroke: #1b1f24; stroke-width: 1.5; stroke-dasharray: 5 3 }
      .growing { fill: #c62828 } .stable, .shrinking { fill: #2e7d32 } .inconclusive { fill: #9a6700 }
      @media (prefers-color-scheme: dark) {
      .page { fill: #15181c } .ink { fill: #e8eaed } .faint { fill: #9aa4af } .grid { stroke: #2b3138 } .warm { fill: #1f242a }
      .range { fill: #2c4f73 } .line { stroke: #6cb0f5 } .floor { stroke: #f2f3f5 }
      .growing { fill: #ff7b72 } .stable, .shrinking { fill: #6fcf7f } .inconclusive { fill: #e3b341 }
      }
      </style>
      <rect class="page" width="100%" height="100%"/>
      <title id="title">\(escaped(headline))</title>
      <desc id="reason">\(escaped(reason))</desc>
      <text class="\(verdict.rawValue)" x="24" y="34" font-size="18" font-weight="600">\(escaped(headline))</text>
      <text class="ink" x="24" y="56">\(escaped(reason))</text>
      """ + typesLine
  }

  /// Which types grow, below the reason.
  private var typesLine: String {
    types.isEmpty ? "" : "\n<text class=\"ink\" x=\"24\" y=\"74\">\(escaped(types))</text>"
  }

  private func warmUp(until elapsed: Double) -> String {
    let right = x(elapsed)
    return """
      <rect class="warm" x="\(number(Self.plot.left))" y="\(number(Self.plot.top))" \
      width="\(number(right - Self.plot.left))" height="\(number(Self.plot.bottom - Self.plot.top))"/>
      <text class="faint" x="\(number(Self.plot.left + 6))" y="\(number(Self.plot.top + 16))">warm-up, not judged</text>
      """
  }

  private func byteTick(_ value: Double, _ label: String, _ range: ClosedRange<Double>) -> String {
    let place = number(y(value, range))
    return """
      <line class="grid" x1="\(number(Self.plot.left))" x2="\(number(Self.plot.right))" y1="\(place)" y2="\(place)"/>
      <text class="faint" x="\(number(Self.plot.left - 8))" y="\(place)" dy="4" text-anchor="end">\(escaped(label))</text>
      """
  }

  private func timeTick(_ value: Double, _ label: String) -> String {
    let place = number(x(series.start + value))
    return """
      <line class="grid" x1="\(place)" x2="\(place)" y1="\(number(Self.plot.bottom))" y2="\(number(Self.plot.bottom + 5))"/>
      <text class="faint" x="\(place)" y="\(number(Self.plot.bottom + 20))" text-anchor="middle">\(escaped(label))</text>
      """
  }

  /// The range of each pixel column as an area, its middle as a line.
  private func envelope(_ range: ClosedRange<Double>) -> String {
    let left = Self.plot.left
    var upper: [String] = []
    var lower: [String] = []
    var middle: [String] = []
    for (column, bytes) in series.columns(Int(Self.plot.right - left)).enumerated() {
      guard let bytes else { continue }
      let place = number(left + Double(column) + 0.5)
      // Half a pixel at least, so that a quiet stretch is visible.
      upper.append("\(place),\(number(y(bytes.high, range) - 0.5))")
      lower.append("\(place),\(number(y(bytes.low, range) + 0.5))")
      middle.append("\(place),\(number(y((bytes.low + bytes.high) / 2, range)))")
    }
    return """
      <polygon class="range" points="\((upper + lower.reversed()).joined(separator: " "))"/>
      <polyline class="line" points="\(middle.joined(separator: " "))"/>
      """
  }

  private func floorSteps(_ range: ClosedRange<Double>) -> [String] {
    series.floors.map { floor in
      let place = number(y(floor.bytes, range))
      return
        "<line class=\"floor\" x1=\"\(number(x(floor.start)))\" x2=\"\(number(max(x(floor.end), x(floor.start) + 6)))\""
        + " y1=\"\(place)\" y2=\"\(place)\"/>"
    }
  }

  private var tail: String {
    let legend = series.floors.isEmpty ? "" : "dashes: the floors that were compared"
    return """
      <text class="faint" x="24" y="\(number(Self.height - 18))">\(escaped(footer))</text>
      <text class="faint" x="\(number(Self.plot.right))" y="\(number(Self.height - 18))" text-anchor="end">\(legend)</text>
      </svg>
      """
  }

  /// Text as XML has it; characters that XML cannot hold are replaced.
  private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "?"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
