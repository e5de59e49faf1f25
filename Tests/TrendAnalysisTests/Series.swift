// Small series for the tests: levels in MiB over time, with seeded noise.
import TrendAnalysis

let mebibyte = 1_048_576.0

/// A generator with a seed (SplitMix64), so that a failing case can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func uniform() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}

/// A series of `duration` seconds whose level is given in MiB above 100, with uniform noise of 0.2 MiB.
func series(_ duration: Double, every interval: Double = 1, level: (Double) -> Double) -> [TrendSample] {
  var random = SeededGenerator(state: 7)
  return stride(from: 0, to: duration, by: interval).map { time in
    TrendSample(elapsed: time, bytes: (100 + level(time) + 0.2 * (random.uniform() - 0.5)) * mebibyte)
  }
}

/// The default rule, or with a shorter run accepted.
func assess(_ samples: [TrendSample], minimumDuration: Double = 1800) -> TrendAssessment {
  var options = TrendOptions()
  options.minimumDuration = minimumDuration
  return TrendAnalyzer(options: options).assess(samples)
}
