// Floor 5, memory: the words.
import MeasurementText
import Symbolication

/// Writes how much memory something took, what is left of it, and where it came from.
enum MemoryText {
  private static let shownTypes = 6
  private static let shownSites = 6
  /// What is less than this part of the whole is not named.
  private static let namedShare: UInt64 = 50

  struct Facts {
    var measure: MemoryMeasure
    var limit: MemoryAmount
    /// The peak or what is left, without what is ignored.
    var measured: Int64
    var ignored: Int64
    var retained: Int64
    var scope: AllocationScope
    var byOthers: UInt64
    var otherAssertions: Int
  }

  static func message(
    _ facts: Facts, types: [MemoryMeasuring.GrownType], sites: [AllocationSites.Site]
  ) -> String {
    var lines = headline(facts)
    let worthNaming = Int64(clamping: facts.measured.magnitude / Self.namedShare)
    let types = types.filter { $0.bytes >= worthNaming }
    let sites = sites.filter { Int64(clamping: $0.bytes) >= worthNaming }
    if facts.ignored > 0 { lines.append("ignored types, \(ByteText.format(facts.ignored)), are not in it") }
    if facts.measure == .retained || facts.retained >= Int64(clamping: facts.limit.bytes / 8), !types.isEmpty {
      lines.append("left of it, by type:")
      lines += typeTable(types)
    }
    if !sites.isEmpty {
      lines.append("the largest allocations:")
      lines += siteTable(sites)
    }
    if facts.scope == .process, facts.byOthers > 0 || facts.otherAssertions > 0 {
      lines.append(MeanwhileText.figures("the figure", facts.otherAssertions) + "; in: .thisThread leaves them out")
    }
    return lines.joined(separator: "\n")
  }

  private static func headline(_ facts: Facts) -> [String] {
    let amount = ByteText.format(facts.measured)
    switch facts.measure {
    case .peak:
      return [
        "Live memory peaked \(amount) above the start, expected below \(facts.limit)",
        facts.retained > 0
          ? "\(ByteText.format(facts.retained)) of it were left at the end" : "nothing of it was left at the end",
      ]
    case .retained: return ["\(amount) more were live at the end than at the start, expected below \(facts.limit)"]
    }
  }

  private static func typeTable(_ types: [MemoryMeasuring.GrownType]) -> [String] {
    let shown = types.prefix(shownTypes)
    var cells = [["instances", "bytes", "type"]]
    for type in shown {
      let count = (type.instances < 0 ? "-" : "+") + NumberText.grouped(type.instances.magnitude)
      cells.append([count, ByteText.format(type.bytes, sign: .always), TypeLabel.text(type.name)])
    }
    return TextColumns.aligned(cells, leftAligned: [2]) + more(types.count - shown.count, "types")
  }

  private static func siteTable(_ sites: [AllocationSites.Site]) -> [String] {
    let shown = sites.prefix(shownSites)
    var cells = [["times", "bytes", "where"]]
    for site in shown {
      cells.append([NumberText.grouped(site.count), ByteText.format(site.bytes), AllocationText.place(site)])
    }
    return TextColumns.aligned(cells, leftAligned: [2]) + more(sites.count - shown.count, "places")
  }

  private static func more(_ count: Int, _ noun: String) -> [String] { count > 0 ? ["  … \(count) more \(noun)"] : [] }
}
