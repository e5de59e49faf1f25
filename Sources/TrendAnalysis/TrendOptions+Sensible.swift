// Options come from command lines and JSON files: here they are brought into the ranges their comments give.

extension TrendOptions {
  /// The same options with each value inside its range. NaN becomes the default.
  var sensible: TrendOptions {
    let defaults = TrendOptions()
    var copy = self
    func hold(_ path: WritableKeyPath<TrendOptions, Double>, _ range: ClosedRange<Double>) {
      let value = copy[keyPath: path]
      copy[keyPath: path] =
        value.isNaN ? defaults[keyPath: path] : min(max(value, range.lowerBound), range.upperBound)
    }
    func hold(_ path: WritableKeyPath<TrendOptions, Int>, _ range: ClosedRange<Int>) {
      copy[keyPath: path] = min(max(copy[keyPath: path], range.lowerBound), range.upperBound)
    }
    hold(\.minimumDuration, 1...1e9)
    hold(\.minimumJudgedShare, 0...1)
    hold(\.durationTolerance, 0...0.1)
    hold(\.epochs, 4...64)
    hold(\.samplesPerEpoch, 2...1_000_000)
    hold(\.minimumEpochs, 4...copy.epochs)
    hold(\.samplesPerShortEpoch, 2...copy.samplesPerEpoch)
    hold(\.floorPercentile, 0...0.5)
    hold(\.quietFloorPercentile, 0...0.5)
    hold(\.minimumGrowthBytes, 0...1e18)
    hold(\.cycleBins, 20...1000)
    hold(\.minimumCycleFloors, 4...64)
    hold(\.maximumGapsListed, 0...1000)
    for path in Self.shares { hold(path, 0...1) }
    for path in Self.factors { hold(path, 0...1e18) }
    copy.warmUp = Self.sensible(warmUp)
    return copy
  }

  private static var shares: [WritableKeyPath<TrendOptions, Double>] {
    [
      \.minimumGrowthFraction, \.growingProbability, \.growingProbabilityFewFloors, \.inconclusiveProbability,
      \.stillRisingProbability, \.maximumStepShare, \.maximumTwoStepShare, \.clearStepShare, \.cycleHysteresis,
      \.maximumGapEpochFraction,
      \.maximumMissingFraction, \.liveGrowthShare,
    ]
  }

  private static var factors: [WritableKeyPath<TrendOptions, Double>] {
    [
      \.quietSpread, \.stepShareFactor, \.minimumDeceleration, \.slowingBelow, \.maximumDrawdown, \.cycleSwingBytes,
      \.cycleSwingFraction, \.cycleEpochFraction, \.maximumGapIntervals,
    ]
  }

  private static func sensible(_ warmUp: WarmUp) -> WarmUp {
    switch warmUp {
    case .fraction(let fraction): .fraction(fraction.isNaN ? 0.25 : min(max(fraction, 0), 0.9))
    case .seconds(let seconds): .seconds(seconds.isNaN ? 0 : min(max(seconds, 0), 1e12))
    }
  }
}
