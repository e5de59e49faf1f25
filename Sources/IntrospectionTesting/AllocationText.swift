// Floor 5, allocations: the words.
import MeasurementText

/// Writes how often something allocated, and where.
enum AllocationText {
  private static let shownSites = 8

  struct Facts {
    var count: UInt64
    var limit: UInt64
    var isExact: Bool
    var scope: AllocationScope
    /// Allocations of other threads; 0 where that is not known.
    var byOthers: UInt64
    var otherAssertions: Int
    var ignored: Int
    /// Allocations beyond those that were kept with a stack.
    var withoutStack: UInt64
  }

  static func message(_ facts: Facts, _ sites: AllocationSites?) -> String {
    var lines = [headline(facts)]
    if let sites {
      lines += table(sites.sites, facts)
    } else {
      lines.append("where is not known: libunwind8 is not installed")
    }
    if facts.withoutStack > 0, sites != nil {
      lines.append("  … \(NumberText.grouped(facts.withoutStack)) more, which were not recorded")
    }
    if facts.ignored > 0 { lines.append("\(NumberText.grouped(facts.ignored)) more were ignored, as asked") }
    if facts.scope == .process, facts.byOthers > 0 || facts.otherAssertions > 0 {
      lines.append(MeanwhileText.figures("the count", facts.otherAssertions) + "; in: .thisThread leaves them out")
    }
    return lines.joined(separator: "\n")
  }

  private static func headline(_ facts: Facts) -> String {
    let threads = facts.scope == .thisThread ? "" : " in all threads"
    let allowed = NumberText.grouped(facts.limit)
    let text = "Allocated \(times(facts.count))\(threads), expected \(facts.isExact ? "exactly" : "at most") \(allowed)"
    guard facts.count > facts.limit else { return text + ": too few" }
    return text + ": \(NumberText.grouped(facts.count - facts.limit)) too many"
  }

  private static func times(_ count: UInt64) -> String {
    count == 1 ? "once" : "\(NumberText.grouped(count)) times"
  }

  private static func table(_ sites: [AllocationSites.Site], _ facts: Facts) -> [String] {
    guard !sites.isEmpty else { return [] }
    let shown = sites.prefix(shownSites)
    let hasSurplus = facts.count > facts.limit && facts.limit > 0
    var cells = [["times"] + (hasSurplus ? ["too many"] : []) + ["bytes", "where"]]
    for site in shown {
      cells.append(
        [NumberText.grouped(site.count)] + (hasSurplus ? [NumberText.grouped(site.surplus)] : [])
          + [NumberText.grouped(site.bytes), place(site)])
    }
    var lines = TextColumns.aligned(cells, leftAligned: [cells[0].count - 1])
    if sites.count > shown.count { lines.append("  … \(sites.count - shown.count) more places") }
    return lines
  }

  static func place(_ site: AllocationSites.Site) -> String {
    let function = LineText.bounded(site.function, limit: 72)
    let callee = site.callee.isEmpty ? "" : "  in " + LineText.bounded(site.callee, limit: 60)
    return function + (site.place.isEmpty ? "" : "  " + site.place) + callee
  }
}
