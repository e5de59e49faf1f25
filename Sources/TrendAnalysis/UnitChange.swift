// A series that changes its unit on the way: a log that was rotated into another format, two files joined.

/// A lasting jump by the ratio of two units of memory.
struct UnitChange {
  /// The seconds from the series' start to the first sample in the new unit.
  var moment: Double
  /// The ratio, above one.
  var factor: Double
  /// Whether the values became larger.
  var isUpward: Bool

  /// Bytes, kB and KiB, pages of 4 KiB, MB and MiB, GB and GiB.
  private static let factors: [Double] = [1000, 1024, 4096, 1e6, 1_048_576, 1e9, 1_073_741_824]
  /// How near a ratio must be to one of them. Memory moves little between two samples; a burst that hits one of seven
  /// ratios within 2 % and stays for several samples is not a thing seen in processes.
  private static let tolerance = 0.02
  /// How many samples on either side are compared, by their medians: a single spike is no change of unit.
  private static let neighbours = 5

  /// The first change of unit; `nil` where there is none. One pass over the samples.
  init?(_ series: PreparedSeries) {
    let values = series.values
    guard values.count >= 2 * Self.neighbours else { return nil }
    for index in Self.neighbours...(values.count - Self.neighbours) {
      let (before, after) = (values[index - 1], values[index])
      // The cheap test that all ordinary samples fail.
      guard max(before, after) > 900 * min(before, after), min(before, after) > 0 else { continue }
      guard let old = median(Array(values[(index - Self.neighbours)..<index])),
        let new = median(Array(values[index..<(index + Self.neighbours)])), old > 0, new > 0
      else { continue }
      let ratio = max(old, new) / min(old, new)
      guard let factor = Self.nearest(ratio) else { continue }
      moment = series.times[index] - series.times[0]
      self.factor = factor
      isUpward = new > old
      return
    }
    return nil
  }

  private static func nearest(_ ratio: Double) -> Double? {
    factors.filter { (ratio / $0 - 1).magnitude <= tolerance }
      .min { (ratio / $0 - 1).magnitude < (ratio / $1 - 1).magnitude }
  }
}
