// Cycles of a sawtooth: garbage collections, caches that are emptied, batches. Their floors tell more than an epoch's,
// when an epoch is too short to reach one surely.

/// The cycles of the judged part of a series.
struct CycleSearch {
  /// The floors in order of time.
  var floors: [TrendFloor]
  var figures: CycleFigures

  /// Looks for cycles from `start` to `end`; `nil` where the series does not swing.
  ///
  /// The series is reduced to medians of bins of equal time. Whether it swings is asked after its own slope is removed, or a
  /// plain leak would swing; releases are looked for in the medians as they are, or growth that accelerates, sagging
  /// below its own slope, would look like the bottom of a cycle.
  init?(_ series: PreparedSeries, from start: Double, to end: Double, epochLength: Double, options: TrendOptions) {
    // With fewer than three samples in a bin its median is no better than a sample.
    let binCount = min(options.cycleBins, (series.count - series.index(notBefore: start)) / 3)
    guard binCount >= 10 else { return nil }
    let bins = series.stretches(binCount, from: start, to: end).filter { !$0.range.isEmpty }
    let levels = bins.compactMap { series.percentile(0.5, of: $0.range) }
    guard levels.count == bins.count, let swing = Self.swing(bins: bins, levels: levels), let middle = median(levels),
      swing >= max(options.cycleSwingBytes, options.cycleSwingFraction * middle)
    else { return nil }
    let bottoms = Self.bottoms(of: levels, hysteresis: options.cycleHysteresis * swing)
    floors = bottoms.compactMap { Self.floor(around: $0, bins: bins, series: series, options: options) }
    let period = Self.period(of: floors, duration: end - start)
    figures = CycleFigures(
      swingBytes: swing, floorCount: floors.count, period: period,
      areLong: !floors.isEmpty && period > options.cycleEpochFraction * epochLength)
  }

  private static func swing(bins: [Stretch], levels: [Double]) -> Double? {
    let moments = bins.map { ($0.start + $0.end) / 2 }
    guard let line = TheilSen.estimate(x: moments, y: levels), let first = moments.first else { return nil }
    var residuals = zip(moments, levels).map { $1 - line.slope * ($0 - first) }
    guard let high = percentile(0.95, reordering: &residuals), let low = percentile(0.05, reordering: &residuals)
    else { return nil }
    return high - low
  }

  /// The places of the lowest levels between a fall and a rise of at least `hysteresis` each.
  private static func bottoms(of levels: [Double], hysteresis: Double) -> [Int] {
    var bottoms: [Int] = []
    var isFalling = false
    var extreme = 0
    for (index, level) in levels.enumerated() {
      if isFalling {
        if level < levels[extreme] { extreme = index }
        guard level >= levels[extreme] + hysteresis else { continue }
        bottoms.append(extreme)
        (isFalling, extreme) = (false, index)
      } else {
        if level > levels[extreme] { extreme = index }
        guard level <= levels[extreme] - hysteresis else { continue }
        (isFalling, extreme) = (true, index)
      }
    }
    return bottoms
  }

  /// The floor at one bottom: of its bin and the two beside it, because a release rarely falls on the edge of a bin.
  private static func floor(
    around bottom: Int, bins: [Stretch], series: PreparedSeries, options: TrendOptions
  ) -> TrendFloor? {
    let first = bins[max(bottom - 1, 0)]
    let last = bins[min(bottom + 1, bins.count - 1)]
    let range = first.range.lowerBound..<last.range.upperBound
    guard let bytes = series.percentile(options.floorPercentile, of: range) else { return nil }
    return TrendFloor(start: first.start, end: last.end, bytes: bytes, sampleCount: range.count)
  }

  /// The median time between floors; with one floor, the time there was on the longer side of it.
  private static func period(of floors: [TrendFloor], duration: Double) -> Double {
    guard floors.count > 1 else { return duration / 2 }
    return median(zip(floors.dropFirst(), floors).map { $0.start - $1.start }) ?? duration
  }
}
