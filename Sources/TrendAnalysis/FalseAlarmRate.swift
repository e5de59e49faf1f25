/// How often the rule called healthy series growing, at one run length.
public struct FalseAlarmRate: Codable, Sendable, Equatable {
  /// The length of the runs it was measured on, in seconds.
  public var runLength: Double
  /// The share over all healthy shapes, 0 to 1.
  public var mean: Double
  /// The share on the shape that fares worst, 0 to 1.
  public var worst: Double
  /// Which shape that is.
  public var worstShape: String

  /// The rates at every length measured, the shortest first.
  ///
  /// Measured with the default options by `benchmarks trend --short --runs 600 --seed 1`: 21 healthy shapes (noise from none
  /// to strongly autocorrelated, warm-ups of three speeds, steps, bursts, sawteeth, a season, a fall, spikes), 600 runs of
  /// each, sampled every second up to half an hour and every 2 s above. 12 600 runs tell a mean to about a tenth of a
  /// percent, 600 a shape's rate to one or two. Measure anew after any change of the rule or of a default.
  public static let measured: [FalseAlarmRate] = [
    FalseAlarmRate(runLength: 45, mean: 0.2061, worst: 1.0000, worstShape: "warm-up 60 s, 40 MB"),
    FalseAlarmRate(runLength: 60, mean: 0.2118, worst: 1.0000, worstShape: "warm-up 60 s, 40 MB"),
    FalseAlarmRate(runLength: 120, mean: 0.2071, worst: 0.9950, worstShape: "warm-up 180 s, 40 MB"),
    FalseAlarmRate(runLength: 300, mean: 0.1805, worst: 1.0000, worstShape: "warm-up 400 s, 40 MB"),
    FalseAlarmRate(runLength: 600, mean: 0.1067, worst: 1.0000, worstShape: "8 arenas of 1 MB in 10 min"),
    FalseAlarmRate(runLength: 900, mean: 0.0344, worst: 0.6850, worstShape: "warm-up 400 s, 40 MB"),
    FalseAlarmRate(runLength: 1200, mean: 0.0025, worst: 0.0333, worstShape: "warm-up 400 s, 40 MB"),
    FalseAlarmRate(runLength: 1800, mean: 0.0014, worst: 0.0200, worstShape: "AR(1) 0.995, 1.5 MB"),
    FalseAlarmRate(runLength: 3600, mean: 0.0013, worst: 0.0200, worstShape: "AR(1) 0.995, 1.5 MB"),
    FalseAlarmRate(runLength: 7200, mean: 0.0004, worst: 0.0050, worstShape: "AR(1) 0.995, 1.5 MB"),
  ]

  /// The rate of the longest measured length that is not longer than `duration` seconds, so that no run is credited with
  /// the rate of a longer one; `nil` below the shortest. One percent is forgiven.
  public static func forRun(of duration: Double) -> FalseAlarmRate? {
    measured.last { $0.runLength <= duration * 1.01 }
  }
}

extension TrendWindow {
  /// How long a run with the default warm-up, a quarter, would have been to leave as much: the rates were measured with it.
  var comparableDuration: Double { min(duration, judgedDuration / 0.75) }
}
