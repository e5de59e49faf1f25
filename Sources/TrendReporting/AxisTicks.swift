import MeasurementText

/// Round values along an axis, few enough to read.
enum AxisTicks {
  /// Round amounts within a range, at most about `count`: steps of 1, 2 or 5 times a power of ten of a binary unit.
  static func bytes(_ range: ClosedRange<Double>, count: Int) -> [(value: Double, label: String)] {
    let span = range.upperBound - range.lowerBound
    guard span > 0, span.isFinite, count > 0 else { return [] }
    let units: [(Double, String)] = [
      (1, "bytes"), (1024, "KiB"), (1_048_576, "MiB"), (1_073_741_824, "GiB"), (1_099_511_627_776, "TiB"),
    ]
    // The unit that the largest value is read in, so that all labels share it.
    let unit = units.last { range.upperBound >= $0.0 } ?? units[0]
    let step = roundStep(atLeast: span / Double(count) / unit.0)
    let decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : 2
    return multiples(of: step * unit.0, in: range).map {
      ($0, NumberText.fixed($0 / unit.0, decimals: decimals) + " " + unit.1)
    }
  }

  /// Round times within a run of `duration` seconds, at most about `count`.
  static func times(duration: Double, count: Int) -> [(value: Double, label: String)] {
    guard duration > 0, duration.isFinite, count > 0 else { return [] }
    let steps: [Double] = [
      0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
      7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
    ]
    let step = steps.first { duration / $0 <= Double(count) } ?? roundStep(atLeast: duration / Double(count))
    return multiples(of: step, in: 0...duration).map { ($0, DurationText.format(seconds: $0)) }
  }

  private static func roundStep(atLeast step: Double) -> Double {
    var power = 1e-9
    while power * 10 <= step, power < 1e18 { power *= 10 }
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= step } ?? step
  }

  private static func multiples(of step: Double, in range: ClosedRange<Double>) -> [Double] {
    guard step > 0 else { return [] }
    let first = (range.lowerBound / step).rounded(.up)
    let last = (range.upperBound / step).rounded(.down)
    guard first <= last, last - first < 1000 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }
}
