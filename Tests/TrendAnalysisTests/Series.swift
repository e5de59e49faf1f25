// Small series for the tests: levels in MiB over time, with seeded noise.
import FixtureSupport
import TrendAnalysis

let mebibyte = 1_048_576.0

extension SeededGenerator {
  /// Evenly from 0 up to and without 1.
  mutating func uniform() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}

/// A series of `duration` seconds whose level is given in MiB above 100, with uniform noise of 0.2 MiB.
func series(_ duration: Double, every interval: Double = 1, level: (Double) -> Double) -> [TrendSample] {
  var random = SeededGenerator(seed: 7)
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
