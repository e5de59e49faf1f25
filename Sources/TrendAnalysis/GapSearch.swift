// Holes in a series: how many, how long, and where the longest are.

/// The gaps of a series that are longer than a limit. One pass; memory for the listed ones only.
struct GapSearch {
  /// How many gaps are longer than the limit.
  private(set) var count = 0
  /// The longest spacing, longer than the limit or not.
  private(set) var largest = 0.0
  /// The longest of those counted.
  private(set) var longest: SamplingGap?
  /// As many of the longest as were asked for, in order of time.
  private(set) var gaps: [SamplingGap] = []

  init(_ series: PreparedSeries, longerThan limit: Double, endingAfter begin: Double = -.infinity, listed: Int) {
    // A hair of tolerance, so that a spacing of exactly the limit is none whatever its binary fraction.
    let threshold = limit * (1 + 1e-9)
    var kept: [SamplingGap] = []
    for (end, start) in zip(series.times.dropFirst(), series.times) where end > begin {
      largest = max(largest, end - start)
      guard end - start > threshold, limit > 0 else { continue }
      count += 1
      let gap = SamplingGap(start: start, end: end)
      if gap.duration > longest?.duration ?? 0 { longest = gap }
      guard listed > 0 else { continue }
      kept.append(gap)
      // Thinned out now and then, not at each: linear, and never more than twice the listed ones in memory.
      if kept.count >= 2 * listed { kept = Self.longest(listed, of: kept) }
    }
    gaps = Self.longest(listed, of: kept)
  }

  private static func longest(_ limit: Int, of gaps: [SamplingGap]) -> [SamplingGap] {
    guard gaps.count > limit else { return gaps }
    return gaps.sorted { $0.duration > $1.duration }.prefix(limit).sorted { $0.start < $1.start }
  }
}
