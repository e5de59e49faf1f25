// The decision: from floors to a verdict and the clause that made it. Nothing here knows samples or time grids.

/// A verdict and the clause it rests on.
struct Decision {
  var verdict: Verdict
  var clause: DecidingClause
}

/// The epoch-floor rule over floors that have been taken.
struct FloorRule {
  var options: TrendOptions
  var minimumGrowth: Double

  /// The tests' figures for `floors`; `nil` for fewer than two.
  func evidence(_ floors: [TrendFloor], kind: FloorKind, percentile: Double) -> TrendEvidence? {
    let levels = floors.map(\.bytes)
    guard let first = levels.first, let last = levels.last, levels.count > 1, let s = KendallTest.s(levels),
      let probability = KendallTest.probability(ofSAtLeast: s.magnitudeAsInt, count: levels.count),
      let slope = TheilSen.slope(levels)
    else { return nil }
    let steps = Double(levels.count - 1)
    return TrendEvidence(
      floorKind: kind, floorPercentile: percentile, floors: floors, kendallS: s, probability: probability,
      growthBytes: slope * steps, netBytes: last - first, minimumGrowthBytes: minimumGrowth,
      stepShare: Self.share(ofLargest: 1, stepsOf: levels), twoStepShare: Self.share(ofLargest: 2, stepsOf: levels),
      stepShareLimit: max(options.maximumStepShare, options.stepShareFactor / steps),
      deceleration: Self.deceleration(levels), drawdown: Self.drawdown(levels))
  }

  /// The verdict on `evidence`.
  func decide(_ evidence: TrendEvidence) -> Decision {
    let levels = evidence.floors.map(\.bytes)
    let limit = levels.count < 6 ? options.growingProbabilityFewFloors : options.growingProbability
    if evidence.growthBytes <= -minimumGrowth, evidence.kendallS < 0, evidence.probability <= limit {
      return Decision(verdict: .shrinking, clause: .floorsFall)
    }
    let rises = evidence.kendallS > 0
    if evidence.growthBytes >= minimumGrowth, rises, evidence.probability <= options.inconclusiveProbability {
      if let failure = shapeFailure(evidence) { return Decision(verdict: .inconclusive, clause: failure) }
      guard evidence.probability <= limit else { return Decision(verdict: .inconclusive, clause: .weakEvidence) }
      return Decision(verdict: .growing, clause: .floorsRise)
    }
    if evidence.growthBytes >= minimumGrowth, let failure = shapeFailure(evidence) {
      return Decision(verdict: .inconclusive, clause: failure)
    }
    if isStillRising(evidence, levels) { return Decision(verdict: .inconclusive, clause: .stillRising) }
    // The last steps of a warm-up have a direction and are small; what is large by its ends only may have none.
    let hasDirection = evidence.probability <= options.inconclusiveProbability
    let isLarge = evidence.growthBytes.magnitude >= minimumGrowth || (evidence.isLarge && !hasDirection)
    return Decision(verdict: .stable, clause: isLarge ? .noDirection : .changeTooSmall)
  }

  /// Which test of shape the growth fails, if any.
  func shapeFailure(_ evidence: TrendEvidence) -> DecidingClause? {
    let slows = evidence.deceleration.map { $0 < options.minimumDeceleration } ?? false
    if let share = evidence.stepShare, share > evidence.stepShareLimit {
      return slows && share < options.clearStepShare ? .slowing : .oneStep
    }
    // Of three steps any two hold most.
    if let share = evidence.twoStepShare, evidence.floors.count > 4, share > options.maximumTwoStepShare {
      return .oneStep
    }
    if slows { return .slowing }
    guard let drawdown = evidence.drawdown, drawdown <= options.maximumDrawdown else { return .fallsBack }
    return nil
  }

  private func isStillRising(_ evidence: TrendEvidence, _ levels: [Double]) -> Bool {
    guard levels.count > 2, evidence.netBytes >= minimumGrowth, evidence.kendallS > 0 else { return false }
    let recent = levels[levels.count - 1] - levels[levels.count - 3]
    return recent >= minimumGrowth / 2 && evidence.probability <= options.stillRisingProbability
  }

  // MARK: Figures of shape

  /// The `count` largest upward steps as a share of all upward steps.
  private static func share(ofLargest count: Int, stepsOf levels: [Double]) -> Double? {
    let rises = zip(levels.dropFirst(), levels).map { $0 - $1 }.filter { $0 > 0 }.sorted(by: >)
    guard !rises.isEmpty else { return nil }
    return rises.prefix(count).reduce(0, +) / rises.reduce(0, +)
  }

  /// The slope of the second half over that of the first; of an odd count both halves have the middle.
  private static func deceleration(_ levels: [Double]) -> Double? {
    let half = (levels.count + 1) / 2
    guard levels.count >= 4, let first = TheilSen.slope(levels.prefix(half)), first > 0,
      let second = TheilSen.slope(levels.suffix(half))
    else { return nil }
    // Kept finite where the first half rises by next to nothing: JSON has no infinity.
    return min(max(second / first, -1e6), 1e6)
  }

  /// The largest fall from the highest level so far, over the net growth.
  private static func drawdown(_ levels: [Double]) -> Double? {
    guard let first = levels.first, let last = levels.last, last > first else { return nil }
    var highest = first
    var fall = 0.0
    for level in levels {
      highest = max(highest, level)
      fall = max(fall, highest - level)
    }
    return fall / (last - first)
  }
}

extension TrendEvidence {
  /// Whether the floors moved by enough to matter, in either direction.
  var isLarge: Bool { max(growthBytes.magnitude, netBytes.magnitude) >= minimumGrowthBytes }
}

extension Int {
  /// The absolute value without a trap on `Int.min`.
  var magnitudeAsInt: Int { Int(clamping: magnitude) }
}
