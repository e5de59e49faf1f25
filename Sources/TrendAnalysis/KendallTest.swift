/// Kendall's test for trend (Kendall 1938, Mann 1945) on few values, with the exact distribution.
public enum KendallTest {
  /// The most values the exact distribution is computed for.
  public static let maximumCount = 400

  /// Kendall's S: how many pairs of values rise from the earlier to the later, minus how many fall. A tie counts nothing.
  ///
  /// Looks at every pair: for epochs, not for samples. `nil` above `maximumCount` values.
  public static func s(_ values: [Double]) -> Int? {
    guard values.count <= maximumCount else { return nil }
    var s = 0
    for (index, value) in values.enumerated() {
      for later in values[(index + 1)...] {
        if later > value { s += 1 } else if later < value { s -= 1 }
      }
    }
    return s
  }

  /// The probability that `count` values in random order have an S of `s` or more: one-sided, exact for values without
  /// ties. With ties S is nearer to zero than the same trend without them would put it, which makes the test careful, not bold.
  ///
  /// `nil` for a negative `count` and above `maximumCount`. Costs `count`³ / 6 additions.
  public static func probability(ofSAtLeast s: Int, count: Int) -> Double? {
    guard (0...maximumCount).contains(count) else { return nil }
    let pairs = count * (count - 1) / 2
    guard s > -pairs else { return 1 }
    guard s <= pairs else { return 0 }
    // S is the number of pairs minus twice the number of inversions, so a large S is few inversions.
    let inversions = (pairs - s) / 2
    return min(inversionProbabilities(count: count)[...inversions].reduce(0, +), 1)
  }

  /// The probability of 0, 1, 2, … inversions in a random order of `count` values.
  ///
  /// The k-th value lands before 0 to k-1 of the others, each equally likely; so every round is a running mean over the last.
  /// Probabilities instead of counts: 171! is beyond a Double.
  private static func inversionProbabilities(count: Int) -> [Double] {
    var probabilities: [Double] = [1]
    guard count > 1 else { return probabilities }
    for size in 2...count {
      let previous = probabilities
      let pairs = size * (size - 1) / 2
      probabilities = [Double](repeating: 0, count: pairs + 1)
      // Only up to the middle, the rest is its mirror image. Up to there what enters the window is never less than what
      // leaves it, so that the small tails, which decide, lose nothing to the subtraction.
      var window = 0.0
      for inversions in 0...(pairs / 2) {
        if inversions < previous.count { window += previous[inversions] }
        if inversions >= size { window -= previous[inversions - size] }
        probabilities[inversions] = window / Double(size)
        probabilities[pairs - inversions] = window / Double(size)
      }
    }
    return probabilities
  }
}
