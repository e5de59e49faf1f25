// Floor 5, growth: the words.
import MeasurementText
import Symbolication

/// Writes what grew in every round.
enum GrowthText {
  /// Rows of the table; more are counted.
  private static let shownRows = 12
  /// Rounds with a column of their own; of more, the first and the last ones are shown.
  private static let shownRounds = 8

  static func message(_ finding: GrowthFinding) -> String {
    var lines = [headline(finding)]
    lines += table(finding.rows)
    for cause in finding.causes {
      let type = HolderWay.typeLabel(cause.type)
      switch cause.kind {
      case .cycle: lines.append("\(type) is in a strong cycle: \(cause.path)")
      case .holder: lines.append("one \(type) is held by: \(cause.path)")
      }
    }
    if finding.isDisturbed { lines.append(MeanwhileText.growth(finding.otherAssertions)) }
    return lines.joined(separator: "\n")
  }

  /// Growth that is not laid to the scenario.
  static func undecided(_ finding: GrowthFinding) -> String {
    var lines = ["Not decided: memory grew in each of \(finding.rounds) rounds, and it may not be the scenario's doing"]
    lines += table(finding.rows)
    if finding.grewInPause { lines.append("it grew as well while the scenario did not run") }
    if finding.isDisturbed { lines.append(MeanwhileText.growth(finding.otherAssertions)) }
    return lines.joined(separator: "\n")
  }

  private static func headline(_ finding: GrowthFinding) -> String {
    let bytes = finding.heapSteps.allSatisfy { $0 > 0 } ? finding.heapSteps : summed(finding.rows)
    guard finding.rounds > 0 else { return "Memory grew" }
    let mean = bytes.reduce(0) { $0 &+ $1 } / Int64(finding.rounds)
    let amount = mean > 0 ? ": \(ByteText.format(mean, sign: .always)) a round" : ""
    return "Memory grew in each of \(finding.rounds) rounds\(amount)"
  }

  private static func summed(_ rows: [GrowthRule.Growth]) -> [Int64] {
    (0..<(rows.first?.byteSteps.count ?? 0)).map { round in rows.reduce(0) { $0 &+ $1.byteSteps[round] } }
  }

  // MARK: The table

  private static func table(_ rows: [GrowthRule.Growth]) -> [String] {
    guard let rounds = rows.first?.instanceSteps.count else { return [] }
    let shown = rows.prefix(shownRows)
    let columns = self.columns(rounds)
    var cells = [["type"] + columns.map { $0.map { $0 == 0 ? "round 1" : String($0 + 1) } ?? "…" } + ["bytes a round"]]
    for row in shown {
      cells.append(
        [TypeLabel.text(row.name) + remark(row)] + columns.map { $0.map { signed(row.instanceSteps[$0]) } ?? "…" }
          + [NumberText.grouped(row.byteSum / Int64(rounds))])
    }
    var lines = TextColumns.aligned(cells, leftAligned: [0])
    if rows.count > shown.count { lines.append("  … \(rows.count - shown.count) more types") }
    return lines
  }

  /// The rounds that have a column; `nil` for those left out.
  private static func columns(_ rounds: Int) -> [Int?] {
    guard rounds > shownRounds else { return (0..<rounds).map { $0 } }
    return (0..<(shownRounds - 2)).map { $0 } + [nil, rounds - 1]
  }

  private static func remark(_ row: GrowthRule.Growth) -> String {
    switch row.measure {
    case .instances: return ""
    case .bytes: return "  (grew in place)"
    case .elements:
      let sum = row.elementSteps.reduce(0) { $0 &+ $1 }
      let each = sum / Int64(max(row.elementSteps.count, 1))
      return "  (holds \(signed(each)) elements a round)"
    }
  }

  private static func signed(_ count: Int64) -> String { (count < 0 ? "-" : "+") + NumberText.grouped(count.magnitude) }
}
