// The types of a run: which of them grow, by the rule that judges the run itself.

extension TrendAnalyzer {
  /// A type's growth counts from this part of what counts for the process on: 16 KiB by default.
  private static let typeShare = 1.0 / 64

  /// Judges each type by the epoch-floor rule, a census standing for an epoch's floor.
  ///
  /// With 8 censuses a type that moves at random is called growing in 1.6 % of cases by its ranks alone; the demands on
  /// amount and shape make that rarer. Types are named for a reader, and decide nothing.
  ///
  /// - Parameters:
  ///   - types: The types, all with the same censuses.
  ///   - liveHeap: The live heap at the same moments.
  ///   - assessment: What was found for the process: which part of the run is judged, and how much it grew.
  public func assess(
    types: [TypeSeries], liveHeap: TypeSeries?, within assessment: TrendAssessment
  ) -> TypeTrends {
    let window = assessment.window
    // The censuses at the ends of the epochs: from the first to the last is as long as from the first floor to the last, so
    // that what types gained can be held against what the footprint gained.
    let start = window.warmUpEnd + window.judgedDuration / Double(2 * max(options.sensible.epochs, 1))
    // Of a growth too small to count, a share says nothing.
    let least = max(assessment.evidence?.minimumGrowthBytes ?? 0, 1)
    let growth = assessment.growth.flatMap { $0.bytes >= least ? $0.bytes : nil }
    let trends = types.compactMap { trend(of: $0, from: start, footprintGrowth: growth) }
    let growing = trends.filter { $0.verdict == .growing }.sorted(by: Self.isLarger)
    let inPlace = trends.filter { $0.verdict != .growing && isGrownInPlace($0) }.sorted(by: Self.isLarger)
    let gained = (growing + inPlace).reduce(0) { $0 + max($1.byteGrowth, 0) }
    let names = Set(growing.map(\.type))
    let steps = types.filter { names.contains($0.type) }
      .sorted { first, second in
        (growing.firstIndex { $0.type == first.type } ?? 0) < (growing.firstIndex { $0.type == second.type } ?? 0)
      }
      .map { series in (series.type, Self.steps(series.points.filter { $0.elapsed >= start }.map(\.instances))) }
    return TypeTrends(
      censusCount: (liveHeap ?? types.first)?.points.count { $0.elapsed >= start } ?? 0, typeCount: types.count,
      growing: growing, grownInPlace: inPlace, groups: StepGroups.groups(steps.filter { $0.1.contains { $0 != 0 } }),
      liveHeap: liveHeap.flatMap { trend(of: $0, from: start, footprintGrowth: growth) },
      explainedShare: growth.map { gained / $0 })
  }

  private static func isLarger(_ first: TypeTrend, _ second: TypeTrend) -> Bool {
    (first.byteGrowth, first.instanceGrowth, second.type) > (second.byteGrowth, second.instanceGrowth, first.type)
  }

  private static func steps(_ values: [Double]) -> [Double] { zip(values.dropFirst(), values).map { $0 - $1 } }

  private func minimumGrowth(_ bytes: [Double]) -> Double {
    let options = options.sensible
    let middle = bytes.sorted()[bytes.count / 2]
    return max(options.minimumGrowthBytes * Self.typeShare, options.minimumGrowthFraction * middle)
  }

  private func trend(of series: TypeSeries, from start: Double, footprintGrowth: Double?) -> TypeTrend? {
    let points = series.points.filter { $0.elapsed >= start }
    guard let first = points.first, let last = points.last else { return nil }
    var trend = TypeTrend(
      type: series.type, kind: series.kind, verdict: .inconclusive, firstInstances: first.instances,
      lastInstances: last.instances, firstBytes: first.bytes, lastBytes: last.bytes, instancesPerHour: 0,
      bytesPerHour: 0, shareOfGrowth: footprintGrowth.map { max(last.bytes - first.bytes, 0) / $0 })
    let times = points.map(\.elapsed)
    trend.instancesPerHour = (TheilSen.estimate(x: times, y: points.map(\.instances))?.slope ?? 0) * 3600
    trend.bytesPerHour = (TheilSen.estimate(x: times, y: points.map(\.bytes))?.slope ?? 0) * 3600
    let floors = points.map { TrendFloor(start: $0.elapsed, end: $0.elapsed, bytes: $0.bytes, sampleCount: 1) }
    let rule = FloorRule(options: options.sensible, minimumGrowth: minimumGrowth(points.map(\.bytes)))
    // Of fewer than five floors none can be told from chance.
    guard floors.count >= 5, let evidence = rule.evidence(floors, kind: .epochs, percentile: 0) else { return trend }
    let decision = rule.decide(evidence)
    trend.verdict = decision.verdict
    trend.decidingClause = decision.clause
    trend.probability = evidence.probability
    return trend
  }

  private func isGrownInPlace(_ trend: TypeTrend) -> Bool {
    trend.instanceGrowth == 0 && trend.firstInstances > 0
      && trend.byteGrowth >= minimumGrowth([trend.firstBytes, trend.lastBytes])
  }
}

/// Series that rise and fall together.
public enum StepGroups {
  /// The names of series each of whose steps is nearly as large as the same step of another: objects that are made and
  /// kept together. Within 2 %, or 2: a process makes and drops some while it is looked at. Groups of two at least, in the
  /// order of their first member.
  public static func groups(_ series: [(name: String, steps: [Double])]) -> [[String]] {
    var groups: [(steps: [Double], names: [String])] = []
    for (name, steps) in series {
      if let index = groups.firstIndex(where: { areInStep($0.steps, steps) }) {
        groups[index].names.append(name)
      } else {
        groups.append((steps, [name]))
      }
    }
    return groups.map(\.names).filter { $0.count > 1 }
  }

  private static func areInStep(_ first: [Double], _ second: [Double]) -> Bool {
    zip(first, second).allSatisfy { one, other in
      (one - other).magnitude <= max(2, max(one.magnitude, other.magnitude) / 50)
    }
  }
}
