/// How complete and how orderly the samples of a run are.
public struct SamplingQuality: Codable, Sendable, Equatable {
  /// Usable samples.
  public var sampleCount: Int
  /// Usable samples after the warm-up.
  public var judgedSampleCount: Int
  /// How many samples the run's length and the interval call for.
  public var expectedCount: Int
  /// The share of expected samples that is missing from the judged part, 0 to 1.
  public var missingFraction: Double
  /// The sampling interval in seconds: as given, or the median spacing. Zero where it is not known.
  public var interval: Double
  /// The longest time between two samples in seconds, anywhere in the run.
  public var largestGap: Double
  /// How many times two samples are further apart than the rule allows without a remark (`maximumGapIntervals`).
  public var gapCount: Int
  /// The longest of these gaps, in order of time.
  public var gaps: [SamplingGap]
  /// Values that were dropped: not finite, negative, or beyond any memory.
  public var discardedCount: Int
  /// Samples whose time lies before that of the row above them. They were sorted.
  public var outOfOrderCount: Int
}

/// A time in which nothing was sampled.
public struct SamplingGap: Codable, Sendable, Equatable {
  /// The last sample before it, in seconds on the samples' clock.
  public var start: Double
  /// The first sample after it.
  public var end: Double

  /// Its length in seconds.
  public var duration: Double { end - start }
}
