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
    // Below a tenth of a second slopes per hour are figures beyond all sense, and in the end beyond Double.
    guard let count = fitness.epochs, fitness.window.judgedDuration >= 0.1 else { return nil }
    let (start, end) = (fitness.window.warmUpEnd, fitness.window.end)
    let judged = series.index(notBefore: start)..<series.count
    guard let middle = series.percentile(0.5, of: judged) else { return nil }
    let minimumGrowth = max(options.minimumGrowthBytes, options.minimumGrowthFraction * middle)
    let stretches = series.stretches(count, from: start, to: end)
    let quiet = Self.areQuiet(stretches, series, limit: options.quietSpread * minimumGrowth)
    let percentile = quiet ? max(options.quietFloorPercentile, options.floorPercentile) : options.floorPercentile
    let epochs = stretches.compactMap { stretch -> TrendFloor? in
      guard let floor = series.percentile(percentile, of: stretch.range) else { return nil }
      return TrendFloor(start: stretch.start, end: stretch.end, bytes: floor, sampleCount: stretch.range.count)
    }
    guard epochs.count == count else { return nil }
    let rule = FloorRule(options: options, minimumGrowth: minimumGrowth)
    let search = CycleSearch(
      series, from: start, to: end, epochLength: (end - start) / Double(count), options: options)
    let long = search.flatMap { $0.figures.areLong ? $0.floors : nil } ?? []
    // With a single cycle there is nothing to compare it with.
    let usesCycles = long.count > 1
    let floors = usesCycles ? long : epochs
    guard
      let evidence = rule.evidence(
        floors, kind: usesCycles ? .cycles : .epochs, percentile: usesCycles ? options.floorPercentile : percentile),
      let growth = TrendGrowth(floors: floors, widenedBy: long.count < options.minimumCycleFloors ? epochs : [])
    else { return nil }
    self.epochs = epochs
    cycles = search?.figures
    self.evidence = evidence
    self.growth = growth
    decision =
      (1..<options.minimumCycleFloors).contains(long.count)
      ? Self.decide(fewCycles: evidence) : rule.decide(evidence)
  }

  /// Whether no epoch spreads over more than `limit` bytes: a series without bursts and cycles.
  private static func areQuiet(_ epochs: [Stretch], _ series: PreparedSeries, limit: Double) -> Bool {
    epochs.allSatisfy { epoch in
      guard let ends = series.percentiles([0.05, 0.95], of: epoch.range) else { return true }
      return ends[1] - ends[0] <= limit
    }
  }

  /// One to three long cycles: no test has power, and the epochs' floors only show where in its cycle each epoch lies.
  private static func decide(fewCycles evidence: TrendEvidence) -> Decision {
    if evidence.netBytes >= evidence.minimumGrowthBytes { return Decision(verdict: .inconclusive, clause: .fewCycles) }
    return Decision(verdict: .stable, clause: evidence.isLarge ? .noDirection : .changeTooSmall)
  }
}

extension TrendGrowth {
  /// The growth along the slope of `floors`, over the time from the middle of the first to the middle of the last; `nil`
  /// for fewer than two moments.
  ///
  /// Two or three cycles have one to three slopes between them, which is no interval of confidence: then that of the epochs
  /// is given too, and the interval reaches over both.
  init?(floors: [TrendFloor], widenedBy epochs: [TrendFloor]) {
    guard let estimate = Self.estimate(floors), let first = floors.first, let last = floors.last else { return nil }
    let other = Self.estimate(epochs) ?? estimate
    let time = (last.start + last.end - first.start - first.end) / 2
    self.init(
      bytes: estimate.slope * time, bytesPerHour: estimate.slope * 3600,
      bytesPerHourLow: min(estimate.low, other.low) * 3600, bytesPerHourHigh: max(estimate.high, other.high) * 3600)
  }

  private static func estimate(_ floors: [TrendFloor]) -> TheilSen.Estimate? {
    TheilSen.estimate(x: floors.map { ($0.start + $0.end) / 2 }, y: floors.map(\.bytes))
  }
}
