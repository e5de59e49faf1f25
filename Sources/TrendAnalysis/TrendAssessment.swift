/// What the epoch-floor rule found in one series: the verdict, why, and every figure on the way to it.
public struct TrendAssessment: Codable, Sendable, Equatable {
  /// The answer.
  public var verdict: Verdict
  /// What the answer would be if the run were long enough and its samples complete; `verdict` where they are.
  public var leaning: Verdict
  /// Which clause of the rule decided.
  public var decidingClause: DecidingClause
  /// Which clause decided the leaning; `decidingClause` where the samples were fit to be judged.
  public var leaningClause: DecidingClause
  /// Why, in one line without a full stop: `"growth is slowing: 0.18x"`.
  public var reason: String
  /// Growing, but the second half clearly slower than the first: unbounded perhaps (a logarithm is), urgent hardly.
  public var isSlowing: Bool
  /// How much was gained or lost over the judged part, and how fast; `nil` where there are too few floors.
  public var growth: TrendGrowth?
  /// The tests' figures; `nil` where there are too few floors.
  public var evidence: TrendEvidence?
  /// The epochs in order, or as many as the samples allowed. Empty where there are too few samples.
  public var epochs: [TrendFloor]
  /// The cycles that were found; `nil` where the series does not swing.
  public var cycles: CycleFigures?
  /// When the run was, and which part was judged.
  public var window: TrendWindow
  /// How complete the samples are.
  public var sampling: SamplingQuality
  /// How often the rule, on runs no longer than this one, called healthy series growing. `nil` below the shortest length measured.
  public var falseAlarmRate: FalseAlarmRate?
  /// The constants that were used.
  public var options: TrendOptions
}

/// A change of the floor over the judged part, with its speed.
///
/// Estimated from the floors by the median of all pairwise slopes (Theil 1950, Sen 1968), which one odd epoch cannot move.
/// The interval holds for floors whose noise does not carry over from one to the next, which is what long epochs are for; with
/// four floors it is the range of all slopes and covers 92 %.
public struct TrendGrowth: Codable, Sendable, Equatable {
  /// The change in bytes from the first floor to the last, along the slope. Negative when shrinking.
  public var bytes: Double
  /// The slope in bytes per hour.
  public var bytesPerHour: Double
  /// The lower end of the slope's 95 % confidence interval (Sen 1968), in bytes per hour.
  public var bytesPerHourLow: Double
  /// The upper end of the slope's 95 % confidence interval, in bytes per hour.
  public var bytesPerHourHigh: Double
}

/// Which floors were compared.
public enum FloorKind: String, Codable, Sendable {
  /// The floors of the epochs.
  case epochs
  /// The floors between the cycles of a sawtooth, because an epoch may not reach its bottom.
  case cycles
}

/// The lowest level of one stretch of the run.
public struct TrendFloor: Codable, Sendable, Equatable {
  /// Seconds at which the stretch begins, on the samples' clock. For a cycle's floor, the moment of it.
  public var start: Double
  /// Seconds at which it ends.
  public var end: Double
  /// The floor in bytes.
  public var bytes: Double
  /// How many samples it is the floor of.
  public var sampleCount: Int
}

/// The figures of the tests.
public struct TrendEvidence: Codable, Sendable, Equatable {
  /// Whose floors were compared.
  public var floorKind: FloorKind
  /// Which percentile was taken as a floor, as a fraction: that of a series that swings, or of a quiet one.
  public var floorPercentile: Double
  /// The floors compared, in order: the epochs', or the cycles'.
  public var floors: [TrendFloor]
  /// Kendall's S: pairs of floors that rise minus pairs that fall.
  public var kendallS: Int
  /// The exact one-sided probability of such an S, or one further from zero on its side, were there no trend.
  public var probability: Double
  /// `TrendGrowth.bytes`: the slope times the number of steps.
  public var growthBytes: Double
  /// The last floor minus the first, in bytes.
  public var netBytes: Double
  /// The growth that was required, in bytes.
  public var minimumGrowthBytes: Double
  /// The largest upward step as a share of all upward steps; `nil` where no step goes up.
  public var stepShare: Double?
  /// The two largest upward steps as a share of all upward steps; `nil` where no step goes up.
  public var twoStepShare: Double?
  /// The limit `stepShare` was held to.
  public var stepShareLimit: Double
  /// The slope of the second half divided by that of the first; `nil` where the first half does not rise.
  public var deceleration: Double?
  /// The largest fall from the highest floor so far, divided by the net growth; `nil` where there is no net growth.
  public var drawdown: Double?
}

/// The cycles of a series that swings.
public struct CycleFigures: Codable, Sendable, Equatable {
  /// From the 5th to the 95th percentile of the series with its slope removed, in bytes.
  public var swingBytes: Double
  /// How many bottoms between a fall and the next rise were seen.
  public var floorCount: Int
  /// The typical time from one to the next in seconds; with a single one, the time there was for it.
  public var period: Double
  /// Whether a cycle is too long for an epoch to reach its bottom surely.
  public var areLong: Bool
}

/// When a run was, and which part of it was judged. Seconds on the samples' clock.
public struct TrendWindow: Codable, Sendable, Equatable {
  /// The first sample.
  public var start: Double
  /// Where the warm-up ends and the judged part begins.
  public var warmUpEnd: Double
  /// The last sample.
  public var end: Double
  /// The length of the run: from the first sample to the last, and one interval, for each sample stands for one.
  public var duration: Double
  /// The length of the judged part.
  public var judgedDuration: Double
  /// How long a run was needed.
  public var requiredDuration: Double
}
