/// Every constant of the epoch-floor rule, each with the reason for its default.
///
/// The rule: drop the warm-up, cut the rest into a few long epochs, take the floor of each, and ask whether the floors rise.
/// Long epochs let the autocorrelation of a process's memory die out inside them (the method of batch means); a floor is
/// taken because caches, bursts and collections come back to it, while a leak lifts it; and for so few numbers Kendall's
/// distribution is exact. The defaults are calibrated together, by the Monte-Carlo study `benchmarks trend`: change one, and
/// the error rates of `FalseAlarmRate.measured` no longer hold.
///
/// A value outside the range given beside it is brought back to the nearest sensible one, never trusted.
public struct TrendOptions: Codable, Sendable, Equatable {
  /// How much of the beginning is not judged.
  public enum WarmUp: Sendable, Equatable {
    /// A share of the whole run, 0 to 0.9.
    case fraction(Double)
    /// A fixed time in seconds; at most nine tenths of the run.
    case seconds(Double)
  }

  /// The duration in seconds from which a verdict needs no caveat: half an hour.
  ///
  /// Below it every rule that was tried mistakes warm-ups for leaks: see `FalseAlarmRate.measured`.
  public static let recommendedDuration: Double = 1800

  // MARK: How long, and what is left out

  /// The shortest run that is judged, in seconds, 1 or more. A shorter run is inconclusive, with a leaning. Setting less than
  /// `recommendedDuration` accepts the false alarms that `TrendAssessment.falseAlarmRate` then states.
  public var minimumDuration: Double = TrendOptions.recommendedDuration
  /// The share of `minimumDuration` that may be missing, 0 to 0.1: a run of half an hour whose last sample fell to the end
  /// of the run, or whose first came late, is a run of half an hour.
  public var durationTolerance: Double = 0.01
  /// The least share of `minimumDuration` that must be left after the warm-up, 0 to 1: half. The default warm-up leaves three
  /// quarters; a long fixed one could leave a minute of half an hour, which would be a run of a minute.
  public var minimumJudgedShare: Double = 0.5
  /// What is dropped at the beginning: a quarter.
  ///
  /// Fixed, never found from the data: rules that look for the end of the warm-up put the growth of a real leak into it.
  public var warmUp: WarmUp = .fraction(0.25)

  // MARK: Epochs and their floors

  /// Into how many epochs of equal time the judged part is cut, 4 to 64. Eight: the fewest whose exact test still has
  /// room for one or two pairs out of order at p ≤ 0.02; more would be shorter, and noise would carry over from one to the next.
  public var epochs: Int = 8
  /// The fewest samples an epoch must have on average, 2 or more: a floor of fewer is the luck of one sample.
  public var samplesPerEpoch: Int = 10
  /// The fewest epochs, 4 to `epochs`, that an accepted short run may be cut into when it has no `samplesPerEpoch` for
  /// all of them. Five: with four, floors in perfect order still have p = 0.04.
  public var minimumEpochs: Int = 5
  /// The fewest samples an epoch may have on average when an accepted short run is cut into `minimumEpochs`, 2 or more.
  /// Six lets 45 s at one sample a second be judged.
  public var samplesPerShortEpoch: Int = 6
  /// Which percentile of an epoch is its floor, as a fraction, 0 to 0.5. Not the minimum, which one bad reading decides;
  /// 0.05 still reaches the bottom of a sawtooth of several cycles per epoch.
  public var floorPercentile: Double = 0.05
  /// The percentile that is the floor of a quiet series, 0 to 0.5. Where nothing swings there is no bottom to reach, and a
  /// quartile is a steadier figure than the edge of the noise.
  public var quietFloorPercentile: Double = 0.25
  /// A series is quiet if in no epoch the 5th to 95th percentile spans more than this many times the least growth; 0
  /// makes none quiet. Six: noise whose deviation is that growth spreads over about four, and a sawtooth or burst that could
  /// hide a leak is wider. Found by the study: at half an hour it calls 2 % more leaks growing at no more false alarms. Taking
  /// the quartile of all series does too, but loses a third of the leaks under short sawteeth and bursts.
  public var quietSpread: Double = 6

  // MARK: How much is growth

  /// The least growth in bytes over the judged part: 1 MiB, what an allocator may keep in one thread's cache or arena.
  public var minimumGrowthBytes: Double = 1_048_576
  /// The least growth as a share of the median: 1 %, so that a large process needs more than a small one.
  public var minimumGrowthFraction: Double = 0.01

  // MARK: How sure

  /// The largest one-sided exact probability that is still growing: with 8 floors S ≥ 18 (p = 0.0156).
  public var growingProbability: Double = 0.02
  /// The same for fewer than 6 floors, which cannot reach smaller values unless in perfect order: 4 floors S = 6 (p = 0.042).
  public var growingProbabilityFewFloors: Double = 0.05
  /// Growth that is large enough is inconclusive rather than stable up to this probability.
  public var inconclusiveProbability: Double = 0.12
  /// Up to this probability a run whose last two epochs still add half of the least growth is inconclusive, not stable.
  public var stillRisingProbability: Double = 0.2

  // MARK: The shape of growth

  /// The largest share of all upward steps that one step may hold: what cuts off single jumps of a process that loaded something.
  public var maximumStepShare: Double = 0.45
  /// With few floors each step holds more: the limit is this divided by the number of steps, where that is larger.
  public var stepShareFactor: Double = 1.6
  /// The largest share that two steps may hold together, where there are more than three: two loads are no trend either, and
  /// a leak in steps has more of them. Without it, noise between two equal steps hides that each holds half.
  public var maximumTwoStepShare: Double = 0.8
  /// From this share on a step is said to be one even where growth also slows; below it, slowing is the better word: the
  /// first epochs after a warm-up rise the most. Changes the reason only, never the verdict.
  public var clearStepShare: Double = 0.8
  /// The least ratio of the second half's slope to the first's. A warm-up of any time constant that fits the run is below it.
  public var minimumDeceleration: Double = 0.4
  /// Below this ratio growing is labelled slowing (`TrendAssessment.isSlowing`): unbounded perhaps, as a logarithm is.
  public var slowingBelow: Double = 0.8
  /// The largest fall from the highest floor so far, as a share of the net growth.
  public var maximumDrawdown: Double = 0.35

  // MARK: Cycles

  /// Into how many bins of equal time the judged part is cut to look for cycles, 20 to 1000.
  public var cycleBins: Int = 180
  /// The least swing in bytes that is a cycle, not noise: 8 MiB.
  public var cycleSwingBytes: Double = 8_388_608
  /// The least swing as a share of the median.
  public var cycleSwingFraction: Double = 0.05
  /// How much of the swing a fall, and the rise after it, must have to be a release. With 0.25 the noise on the landings
  /// between two steps passed for cycles, and the steps for stable.
  public var cycleHysteresis: Double = 0.4
  /// The fewest floors of cycles that can be compared, 4 or more.
  public var minimumCycleFloors: Int = 4
  /// Cycles longer than this many epochs replace the epochs' floors by their own: such an epoch may not reach the bottom.
  public var cycleEpochFraction: Double = 0.5

  // MARK: The grid of samples

  /// The longest time between two judged samples, in sampling intervals…
  public var maximumGapIntervals: Double = 3
  /// …or, where that is longer, as a share of an epoch: a hole below the floor's percentile cannot hide the floor, and a
  /// sampler that was held up for seconds in a run of hours has lost nothing.
  public var maximumGapEpochFraction: Double = 0.05
  /// The largest share of expected samples that may be missing from the judged part.
  public var maximumMissingFraction: Double = 0.05
  /// How many gaps `SamplingQuality` lists, 0 to 1000, the longest first.
  public var maximumGapsListed: Int = 16

  // MARK: Footprint against live heap

  /// From this share of the footprint's growth on, growth of live memory explains it (`GrowthCause.liveGrowth`).
  public var liveGrowthShare: Double = 0.5

  /// The calibrated defaults.
  public init() {}
}
