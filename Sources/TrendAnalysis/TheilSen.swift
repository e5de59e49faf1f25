/// A slope that outliers cannot move: the median of the slopes between all pairs of points (Theil 1950, Sen 1968).
public enum TheilSen {
  /// The most points a slope is taken through: all pairs are looked at, so raw samples are put into bins first.
  public static let maximumCount = 2000

  /// A slope and its 95 % confidence interval.
  public struct Estimate: Codable, Sendable, Equatable {
    /// The median slope.
    public var slope: Double
    /// The lower end of the interval.
    public var low: Double
    /// The upper end of the interval.
    public var high: Double
  }

  /// The slope of `y` over `x` with its interval from Kendall's variance (Sen 1968, corrected for ties).
  ///
  /// The ends are the order statistics that SciPy's `theilslopes` takes. Pairs with the same `x` have no slope. `nil` with
  /// fewer than two different `x`, above `maximumCount` points, or for arrays of different length.
  public static func estimate(x: [Double], y: [Double]) -> Estimate? {
    guard var slopes = slopes(x: x, y: y), !slopes.isEmpty else { return nil }
    slopes.sort()
    let last = slopes.count - 1
    let median = (slopes[last / 2] + slopes[slopes.count / 2]) / 2
    // The 97.5 % point of the normal distribution.
    let reach = 1.959963984540054 * varianceOfS(x: x, y: y).squareRoot()
    let pairs = Double(slopes.count)
    let high = ((pairs + reach) / 2).rounded(.toNearestOrEven)
    let low = ((pairs - reach) / 2).rounded(.toNearestOrEven) - 1
    func clamped(_ position: Double) -> Int { Int(clamping: min(max(position, 0), Double(last))) }
    return Estimate(slope: median, low: slopes[clamped(low)], high: slopes[clamped(high)])
  }

  /// The median slope of values one step apart; `nil` for fewer than two.
  static func slope(_ values: some Collection<Double>) -> Double? {
    let y = Array(values)
    guard let slopes = slopes(x: y.indices.map(Double.init), y: y) else { return nil }
    return median(slopes)
  }

  private static func slopes(x: [Double], y: [Double]) -> [Double]? {
    guard x.count == y.count, x.count <= maximumCount else { return nil }
    var slopes: [Double] = []
    slopes.reserveCapacity(x.count * max(x.count - 1, 0) / 2)
    for first in x.indices {
      for second in x.indices[(first + 1)...] where x[second] != x[first] {
        slopes.append((y[second] - y[first]) / (x[second] - x[first]))
      }
    }
    return slopes
  }

  private static func varianceOfS(x: [Double], y: [Double]) -> Double {
    func term(_ count: Int) -> Double { Double(count) * Double(count - 1) * Double(2 * count + 5) }
    let ties = tieSizes(x) + tieSizes(y)
    return max(ties.reduce(term(x.count)) { $0 - term($1) } / 18, 0)
  }

  /// How often each value that occurs more than once occurs.
  private static func tieSizes(_ values: [Double]) -> [Int] {
    var sizes: [Int] = []
    var run = 1
    let sorted = values.sorted()
    for (value, next) in zip(sorted, sorted.dropFirst()) {
      if value == next {
        run += 1
      } else if run > 1 {
        sizes.append(run)
        run = 1
      }
    }
    if run > 1 { sizes.append(run) }
    return sizes
  }
}
