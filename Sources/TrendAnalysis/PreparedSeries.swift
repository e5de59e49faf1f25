// From what the caller has to what can be judged: usable values only, in order of time.

/// The usable samples in order of time, as two plain arrays.
struct PreparedSeries {
  private(set) var times: [Double] = []
  private(set) var values: [Double] = []
  private(set) var discarded = 0
  /// Rows whose time lies before that of the usable row above them.
  private(set) var outOfOrder = 0
  /// The times before and after the largest step back.
  private(set) var largestStepBack: (from: Double, to: Double)?
  /// The stretches of rows in which time only goes forward, in the order of rows: the first few.
  private(set) var ascents: [ClosedRange<Double>] = []

  /// So many ascents are kept; rows that go back more often are in no order at all.
  static let maximumAscents = 64

  /// Beyond any clock and any memory, and so far from the ends of Double that no sum or product of a few overflows.
  private static let largestTime = 1e12
  private static let largestAmount = 1e18

  init(_ samples: some Collection<TrendSample>) {
    times.reserveCapacity(samples.count)
    values.reserveCapacity(samples.count)
    var previous = -Double.infinity
    var ascentStart: Double?
    for sample in samples {
      guard sample.elapsed.magnitude <= Self.largestTime, (0...Self.largestAmount).contains(sample.bytes) else {
        discarded += 1  // NaN fails both comparisons
        continue
      }
      if sample.elapsed < previous {
        noteStepBack(from: previous, to: sample.elapsed)
        noteAscent(from: ascentStart, to: previous)
        ascentStart = nil
      }
      ascentStart = ascentStart ?? sample.elapsed
      previous = sample.elapsed
      times.append(sample.elapsed)
      values.append(sample.bytes)
    }
    noteAscent(from: ascentStart, to: previous)
    if outOfOrder > 0 { sortByTime() }
  }

  private mutating func noteAscent(from start: Double?, to end: Double) {
    guard let start, start <= end, ascents.count < Self.maximumAscents else { return }
    ascents.append(start...end)
  }

  /// The longest time two ascents have in common; zero where there are too many ascents to say.
  var largestOverlap: Double {
    guard outOfOrder < Self.maximumAscents else { return 0 }
    let ordered = ascents.sorted { $0.lowerBound < $1.lowerBound }
    var reached = -Double.infinity
    var largest = 0.0
    for ascent in ordered {
      largest = max(largest, min(reached, ascent.upperBound) - ascent.lowerBound)
      reached = max(reached, ascent.upperBound)
    }
    return largest
  }

  private mutating func noteStepBack(from: Double, to: Double) {
    outOfOrder += 1
    if let known = largestStepBack, known.from - known.to >= from - to { return }
    largestStepBack = (from, to)
  }

  private mutating func sortByTime() {
    // Rows of the same time stay in their order: the index decides.
    var rows = times.indices.map { (time: times[$0], index: $0, value: values[$0]) }
    rows.sort { $0.time < $1.time || ($0.time == $1.time && $0.index < $1.index) }
    times = rows.map(\.time)
    values = rows.map(\.value)
  }

  var count: Int { times.count }

  /// The first index whose time is `time` or later.
  func index(notBefore time: Double) -> Int {
    var low = 0
    var high = times.count
    while low < high {
      let middle = low + (high - low) / 2
      if times[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The median of the spacings that are not zero; `nil` where there are none. One pass and one selection.
  func medianSpacing() -> Double? {
    var spacings = zip(times.dropFirst(), times).map { $0 - $1 }
    spacings.removeAll { $0 <= 0 }
    return TrendAnalysis.percentile(0.5, reordering: &spacings)
  }

  /// The samples from `start` on, cut into `count` stretches of equal time.
  func stretches(_ count: Int, from start: Double, to end: Double) -> [Stretch] {
    var lower = index(notBefore: start)
    return (0..<count).map { number in
      let isLast = number == count - 1
      let begin = start + (end - start) * Double(number) / Double(count)
      let finish = isLast ? end : start + (end - start) * Double(number + 1) / Double(count)
      let upper = isLast ? times.count : max(index(notBefore: finish), lower)
      defer { lower = upper }
      return Stretch(start: begin, end: finish, range: lower..<upper)
    }
  }

  /// A percentile of the values in `range`; `nil` where it is empty.
  func percentile(_ fraction: Double, of range: Range<Int>) -> Double? {
    var part = Array(values[range])
    return TrendAnalysis.percentile(fraction, reordering: &part)
  }

  /// Several percentiles of the values in `range`, from one copy of them; `nil` where it is empty.
  func percentiles(_ fractions: [Double], of range: Range<Int>) -> [Double]? {
    guard !range.isEmpty else { return nil }
    var part = Array(values[range])
    return fractions.compactMap { TrendAnalysis.percentile($0, reordering: &part) }
  }
}

/// A stretch of time and the samples in it.
struct Stretch {
  var start: Double
  var end: Double
  var range: Range<Int>
}
