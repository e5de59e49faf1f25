import MeasurementText
import Symbolication
import TrendAnalysis

/// The types of a run as lines of its report.
struct TypeLines {
  let figures: TypeFigures
  /// How many types are shown.
  private static let limit = 8
  private static let nameWidth = 44

  private var trends: TypeTrends { figures.trends }

  /// The heading and the rows; one line where nothing grows.
  var lines: [String] {
    guard trends.censusCount >= 5 else {
      return ["too few censuses after the warm-up to judge types: \(trends.censusCount) of the 5 that it takes"]
    }
    guard !trends.growing.isEmpty else {
      let kinds = NumberText.grouped(trends.typeCount)
      return ["none of \(kinds) types grows steadily, in \(trends.censusCount) censuses"] + inPlaceRows
    }
    var lines = [heading]
    lines += trends.growing.prefix(Self.limit).map { "    " + row($0) }
    if trends.growing.count > Self.limit {
      let rest = trends.growing.dropFirst(Self.limit)
      let bytes = rest.reduce(0) { $0 + $1.byteGrowth }
      lines.append("    …  \(rest.count) more, \(ByteText.format(bytes, sign: .always))")
    }
    return lines + inPlaceRows
  }

  /// The largest of the types that grow, in one line; empty where none does.
  var summary: String {
    guard trends.censusCount >= 5, !trends.growing.isEmpty else { return "" }
    let shown = trends.growing.prefix(3).map { trend in
      "\(TypeLabel.text(trend.type)) \(ByteText.format(trend.byteGrowth, sign: .always))"
    }
    let more = trends.growing.count > 3 ? " and \(trends.growing.count - 3) more" : ""
    return "\(heading) " + shown.joined(separator: ", ") + more
  }

  /// What of the growth is explained, and by what.
  private var heading: String {
    let count = trends.growing.count
    let together = count > 1 && trends.groups.contains { $0.count == count } ? " together" : ""
    guard let share = trends.explainedShare else {
      return count == 1 ? "one type grows:" : "\(NumberText.grouped(count)) types grow\(together):"
    }
    let types = count == 1 ? "one type that grows" : "\(NumberText.grouped(count)) types that grow\(together)"
    // Objects can gain more than the footprint does, where they fill memory that was free before.
    return share > 1.05
      ? "all of it, and memory that was free before, is \(types):"
      : "\(TextLine.percent(min(share, 1))) of it is \(types):"
  }

  private var inPlaceRows: [String] { trends.grownInPlace.prefix(3).map { "    " + row($0) + "   (grew in place)" } }

  private func row(_ trend: TypeTrend) -> String {
    let count = (trend.instanceGrowth < 0 ? "-" : "+") + NumberText.grouped(UInt64(trend.instanceGrowth.magnitude))
    let bytes = ByteText.format(trend.byteGrowth, sign: .always)
    let name = TypeLabel.text(trend.type)
    var text = name + String(repeating: " ", count: max(Self.nameWidth - name.count, 1))
    text += String(repeating: " ", count: max(10 - count.count, 0)) + count
    text += String(repeating: " ", count: max(13 - bytes.count, 1)) + bytes
    if trend.verdict == .growing, trend.instanceGrowth > 0 { text += "   " + Self.rate(trend.instancesPerHour) }
    return text
  }

  /// Objects per time, in the unit that gives a number to remember.
  private static func rate(_ perHour: Double) -> String {
    if perHour >= 36_000 { return NumberText.grouped(UInt64(perHour / 3600)) + "/s" }
    if perHour >= 600 { return NumberText.grouped(UInt64(perHour / 60)) + "/min" }
    return NumberText.grouped(UInt64(max(perHour, 0))) + "/h"
  }
}
