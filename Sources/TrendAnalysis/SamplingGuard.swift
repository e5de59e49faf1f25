// The guards: whether the samples are fit to be judged at all.

/// The grid of a prepared series: window, quality, and what is wrong with it.
struct SamplingGuard {
  let window: TrendWindow
  let quality: SamplingQuality
  /// How many epochs the samples are enough for; `nil` where they are not enough for any.
  let epochs: Int?
  /// The first thing that makes the series unfit, `nil` where it is fit.
  private(set) var problem: EvidenceProblem?

  init(_ series: PreparedSeries, interval given: Double?, discontinuities: [Double], options: TrendOptions) {
    let interval = Self.interval(series, given: given)
    window = Self.window(series, interval: interval, options: options)
    let judged = series.count - series.index(notBefore: window.warmUpEnd)
    let isShort = window.duration < TrendOptions.recommendedDuration * (1 - options.durationTolerance)
    epochs = Self.epochs(judgedSamples: judged, isShort: isShort, options: options)
    let epochLength = window.judgedDuration / Double(epochs ?? options.epochs)
    let allowed = max(options.maximumGapIntervals * interval, options.maximumGapEpochFraction * epochLength)
    quality = Self.quality(series, judged: judged, interval: interval, window: window, options: options)
    problem =
      (series.count == 0 ? .noSamples(discarded: series.discarded) : nil)
      ?? Self.timeProblem(series, quality: quality, window: window, allowedGap: allowed)
      ?? Self.identityProblem(discontinuities, window: window)
      ?? UnitChange(series).map { .unitChange($0) }
      ?? lengthProblem(options: options)
      ?? Self.gridProblem(series, quality: quality, window: window, allowedGap: allowed, options: options)
  }

  // MARK: What there is

  /// The interval as given, unless the samples contradict it by being twice as close or more; else their median spacing.
  private static func interval(_ series: PreparedSeries, given: Double?) -> Double {
    let spacing = series.medianSpacing() ?? 0
    guard let given, given > 0, given <= 2 * spacing else { return spacing }
    return given
  }

  private static func window(_ series: PreparedSeries, interval: Double, options: TrendOptions) -> TrendWindow {
    let start = series.times.first ?? 0
    let end = series.times.last ?? 0
    let duration = series.count > 1 ? end - start + interval : 0
    let warmUp =
      switch options.warmUp {
      case .fraction(let fraction): duration * fraction
      case .seconds(let seconds): min(seconds, duration * 0.9)
      }
    return TrendWindow(
      start: start, warmUpEnd: start + warmUp, end: end, duration: duration, judgedDuration: duration - warmUp,
      requiredDuration: options.minimumDuration)
  }

  private static func quality(
    _ series: PreparedSeries, judged: Int, interval: Double, window: TrendWindow, options: TrendOptions
  ) -> SamplingQuality {
    let longest = GapSearch(
      series, longerThan: options.maximumGapIntervals * interval, listed: options.maximumGapsListed)
    let expectedJudged = interval > 0 ? window.judgedDuration / interval : 0
    let missing = expectedJudged > 0 ? max(0, 1 - Double(judged) / expectedJudged) : 0
    let expected = interval > 0 ? Int(clamping: (window.duration / interval).rounded()) : series.count
    return SamplingQuality(
      sampleCount: series.count, judgedSampleCount: judged, expectedCount: expected,
      missingFraction: missing, interval: interval, largestGap: longest.largest, gapCount: longest.count,
      gaps: longest.gaps, discardedCount: series.discarded, outOfOrderCount: series.outOfOrder)
  }

  /// Full runs are cut into all epochs or not judged; an accepted short run into as many as it has samples for.
  private static func epochs(judgedSamples: Int, isShort: Bool, options: TrendOptions) -> Int? {
    let possible = judgedSamples / options.samplesPerEpoch
    if possible >= options.epochs { return options.epochs }
    guard isShort else { return nil }
    if possible >= options.minimumEpochs { return possible }
    return judgedSamples >= options.minimumEpochs * options.samplesPerShortEpoch ? options.minimumEpochs : nil
  }

  // MARK: What is wrong with it

  /// Time that went back. Rows in the wrong order, once sorted, lie on an even grid; after a clock was set back, two
  /// stretches of the run lie on top of each other, or far apart. Two intervals are forgiven: rows that changed places.
  private static func timeProblem(
    _ series: PreparedSeries, quality: SamplingQuality, window: TrendWindow, allowedGap: Double
  ) -> EvidenceProblem? {
    guard let step = series.largestStepBack, quality.interval > 0 else { return nil }
    let surplus = Double(series.count) - window.duration / quality.interval
    let crowded = zip(series.times.dropFirst(), series.times).count { $0 - $1 < quality.interval / 4 }
    let isCrowded = max(Double(crowded), surplus) > max(3, 0.01 * Double(series.count))
    let isTorn = quality.largestGap > max(allowedGap, 3 * quality.interval)
    let isLaidOver = series.largestOverlap > 2 * quality.interval
    return isCrowded || isTorn || isLaidOver ? .clockStep(from: step.from, to: step.to) : nil
  }

  private static func identityProblem(_ discontinuities: [Double], window: TrendWindow) -> EvidenceProblem? {
    let inside = discontinuities.filter { $0 > window.start && $0 <= window.end }
    return inside.max().map { .identityChange(at: $0 - window.start) }
  }

  private func lengthProblem(options: TrendOptions) -> EvidenceProblem? {
    if window.duration < options.minimumDuration * (1 - options.durationTolerance) {
      return .tooShort(ran: window.duration, needed: options.minimumDuration)
    }
    let needed = options.minimumDuration * options.minimumJudgedShare
    if window.judgedDuration < needed * (1 - options.durationTolerance) {
      return .littleLeft(judged: window.judgedDuration, needed: needed)
    }
    guard epochs == nil else { return nil }
    let isShort = window.duration < TrendOptions.recommendedDuration * (1 - options.durationTolerance)
    let samples =
      isShort ? options.minimumEpochs * options.samplesPerShortEpoch : options.epochs * options.samplesPerEpoch
    return .tooFewSamples(judged: quality.judgedSampleCount, needed: samples)
  }

  private static func gridProblem(
    _ series: PreparedSeries, quality: SamplingQuality, window: TrendWindow, allowedGap: Double, options: TrendOptions
  ) -> EvidenceProblem? {
    let judged = GapSearch(series, longerThan: allowedGap, endingAfter: window.warmUpEnd, listed: 0)
    if judged.count > 0, let gap = judged.longest {
      return .gap(duration: gap.duration, at: gap.start - window.start, allowed: allowedGap)
    }
    if quality.missingFraction > options.maximumMissingFraction {
      return .missingSamples(fraction: quality.missingFraction)
    }
    return nil
  }
}

/// What makes a series unfit to be judged, with the figures its reason names.
enum EvidenceProblem {
  case noSamples(discarded: Int)
  case tooFewSamples(judged: Int, needed: Int)
  case tooShort(ran: Double, needed: Double)
  case littleLeft(judged: Double, needed: Double)
  case gap(duration: Double, at: Double, allowed: Double)
  case missingSamples(fraction: Double)
  case clockStep(from: Double, to: Double)
  case unitChange(UnitChange)
  case identityChange(at: Double)

  var clause: DecidingClause {
    switch self {
    case .noSamples: .noSamples
    case .tooFewSamples: .tooFewSamples
    case .tooShort, .littleLeft: .tooShort
    case .gap: .gap
    case .missingSamples: .missingSamples
    case .clockStep: .clockStep
    case .unitChange: .unitChange
    case .identityChange: .identityChange
    }
  }

  /// Whether the series is one run of one thing, only short or with holes, so that a leaning means something.
  var allowsLeaning: Bool {
    switch self {
    case .tooShort, .littleLeft, .gap, .missingSamples: true
    default: false
    }
  }
}

extension Int {
  /// The whole part of `value`, at the ends of `Int` where it lies beyond; zero for NaN.
  init(clamping value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    self = value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int(value)
  }
}
