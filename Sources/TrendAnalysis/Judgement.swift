// The rule applied to the judged part of one series: epochs, cycles, figures, decision.

/// What the rule says of a series, whether or not the series is fit to be judged.
struct Judgement {
  let epochs: [TrendFloor]
  let cycles: CycleFigures?
  let evidence: TrendEvidence
  let growth: TrendGrowth
  let decision: Decision

  /// `nil` where there are too few samples for any epochs, or an epoch without a sample.
  init?(_ series: PreparedSeries, fitness: SamplingGuard, options: TrendOptions) {
    guard let count = fitness.epochs else { return nil }
    let (start, end) = (fitness.window.warmUpEnd, fitness.window.end)
    let judged = series.index(notBefore: start)..<series.count
    guard let middle = series.percentile(0.5, of: judged) else { return nil }
    let minimumGrowth = max(options.minimumGrowthBytes, options.minimumGrowthFraction * middle)
    let stretches = series.stretches(count, from: start, to: end)
    let epochs = Self.floors(of: stretches, series, minimumGrowth: minimumGrowth, options: options)
    guard epochs.count == count else { return nil }
    let rule = FloorRule(options: options, minimumGrowth: minimumGrowth)
    let search = CycleSearch(
      series, from: start, to: end, epochLength: (end - start) / Double(count), options: options)
    let long = search.flatMap { $0.figures.areLong ? $0.floors : nil } ?? []
    let usesCycles = long.count >= options.minimumCycleFloors
    let floors = usesCycles ? long : epochs
    guard let evidence = rule.evidence(floors, kind: usesCycles ? .cycles : .epochs),
      let growth = TrendGrowth(floors: floors)
    else { return nil }
    self.epochs = epochs
    cycles = search?.figures
    self.evidence = evidence
    self.growth = growth
    decision =
      (1..<options.minimumCycleFloors).contains(long.count)
      ? Self.decide(fewCycles: long, epochs: epochs, minimumGrowth: minimumGrowth) : rule.decide(evidence)
  }

  /// The floor of each stretch that has samples: low in a series that swings, a quartile in one that is quiet throughout.
  private static func floors(
    of stretches: [Stretch], _ series: PreparedSeries, minimumGrowth: Double, options: TrendOptions
  ) -> [TrendFloor] {
    let spreads = stretches.compactMap { series.percentiles([0.05, 0.95], of: $0.range) }.map { $0[1] - $0[0] }
    let isQuiet = spreads.max() ?? 0 <= options.quietSpread * minimumGrowth
    let fraction = isQuiet ? max(options.quietFloorPercentile, options.floorPercentile) : options.floorPercentile
    return stretches.compactMap { stretch in
      guard let floor = series.percentile(fraction, of: stretch.range) else { return nil }
      return TrendFloor(start: stretch.start, end: stretch.end, bytes: floor, sampleCount: stretch.range.count)
    }
  }

  /// One to three long cycles: no test has power, and the epochs' floors only show where in its cycle each epoch lies.
  private static func decide(fewCycles: [TrendFloor], epochs: [TrendFloor], minimumGrowth: Double) -> Decision {
    let floors = fewCycles.count > 1 ? fewCycles : epochs
    let net = (floors.last?.bytes ?? 0) - (floors.first?.bytes ?? 0)
    if net >= minimumGrowth { return Decision(verdict: .inconclusive, clause: .fewCycles) }
    let clause: DecidingClause = net.magnitude >= minimumGrowth ? .noDirection : .changeTooSmall
    return Decision(verdict: .stable, clause: clause)
  }
}

extension TrendGrowth {
  /// The growth along the slope of `floors`, over the time from the middle of the first to the middle of the last; `nil`
  /// for fewer than two moments.
  init?(floors: [TrendFloor]) {
    let moments = floors.map { ($0.start + $0.end) / 2 }
    guard let first = moments.first, let last = moments.last,
      let estimate = TheilSen.estimate(x: moments, y: floors.map(\.bytes))
    else { return nil }
    self.init(
      bytes: estimate.slope * (last - first), bytesPerHour: estimate.slope * 3600,
      bytesPerHourLow: estimate.low * 3600, bytesPerHourHigh: estimate.high * 3600)
  }
}
