/// How often durations of each size occurred, in bounded memory and with a bounded error.
///
/// Buckets of the form of HdrHistogram (Gil Tene): each power of two is cut into 32 buckets of equal width, so that a
/// duration of `n` nanoseconds is known to `n/32`, and, told as the middle of its bucket, to within
/// `maximumRelativeError`. Below 64 ns every nanosecond has a bucket of its own. The least and the greatest duration are
/// kept exactly. Adding costs a few nanoseconds; memory is 256 bytes for each power of two that occurs, 15 KiB at the most.
public struct DurationHistogram: Sendable, Equatable {
  /// The greatest error of a percentile, as a share of the exact one: 1/64.
  public static let maximumRelativeError = 1.0 / 64

  /// How many durations were added.
  public private(set) var count: UInt64 = 0
  private(set) var sum: Int64 = 0
  private(set) var least: Int64 = .max
  private(set) var greatest: Int64 = 0

  /// For each power of two where its 32 counters begin, or -1 while none of its durations occurred.
  private var starts: [Int32]
  private var counters: [UInt64]

  /// An empty histogram.
  public init() {
    starts = Array(repeating: -1, count: HistogramLayout.groups)
    counters = []
  }

  /// Adds one duration; a negative one counts as zero, one beyond 292 years as 292 years.
  public mutating func add(_ duration: Duration) { add(nanoseconds: Swift.max(Nanoseconds.of(duration), 0)) }

  @inline(__always)
  mutating func add(nanoseconds: Int64) {
    count &+= 1
    sum = Nanoseconds.adding(sum, nanoseconds)
    least = Swift.min(least, nanoseconds)
    greatest = Swift.max(greatest, nanoseconds)
    let place = HistogramLayout.place(of: UInt64(bitPattern: nanoseconds))
    var start = Int(starts[place.group])
    if start < 0 { start = makeGroup(place.group) }
    counters[start &+ place.bucket] &+= 1
  }

  @inline(never)
  private mutating func makeGroup(_ group: Int) -> Int {
    let start = counters.count
    counters.append(contentsOf: repeatElement(0, count: HistogramLayout.bucketsPerGroup))
    starts[group] = Int32(start)
    return start
  }

  /// Adds all durations of another histogram.
  public mutating func merge(_ other: DurationHistogram) {
    count &+= other.count
    sum = Nanoseconds.adding(sum, other.sum)
    least = Swift.min(least, other.least)
    greatest = Swift.max(greatest, other.greatest)
    for group in starts.indices where other.starts[group] >= 0 {
      let start = starts[group] >= 0 ? Int(starts[group]) : makeGroup(group)
      for bucket in 0..<HistogramLayout.bucketsPerGroup {
        counters[start + bucket] &+= other.counters[Int(other.starts[group]) + bucket]
      }
    }
  }

  /// The least duration, exactly; `nil` without any.
  public var min: Duration? { count == 0 ? nil : .nanoseconds(least) }
  /// The greatest duration, exactly; `nil` without any.
  public var max: Duration? { count == 0 ? nil : .nanoseconds(greatest) }
  /// All durations together, at most 292 years.
  public var total: Duration { .nanoseconds(sum) }
  /// The arithmetic mean, exact to the nanosecond; `nil` without any.
  public var mean: Duration? { count == 0 ? nil : .nanoseconds(meanNanoseconds) }

  var meanNanoseconds: Int64 { count == 0 ? 0 : Int64(UInt64(sum) / count) }

  /// The duration that the given share of all durations do not exceed (nearest rank), `nil` without any.
  ///
  /// - Parameter share: 0 for the least, 0.5 for the median, 1 for the greatest. Both ends are exact, all between to within
  ///   `maximumRelativeError`.
  public func percentile(_ share: Double) -> Duration? { nanoseconds(atShare: share).map { .nanoseconds($0) } }

  func nanoseconds(atShare share: Double) -> Int64? {
    guard count > 0, !share.isNaN else { return nil }
    let rank = UInt64(Swift.max((Double(count) * Swift.min(share, 1)).rounded(.up), 1))
    if share <= 0 { return least }
    if rank >= count { return greatest }
    var seen: UInt64 = 0
    for group in starts.indices where starts[group] >= 0 {
      for bucket in 0..<HistogramLayout.bucketsPerGroup {
        seen &+= counters[Int(starts[group]) + bucket]
        if seen >= rank {
          let middle = HistogramLayout.middle(group: group, bucket: bucket)
          return Swift.min(Swift.max(middle, least), greatest)
        }
      }
    }
    return greatest
  }

  /// The same number of durations in the same buckets, wherever those lie in memory.
  public static func == (first: DurationHistogram, second: DurationHistogram) -> Bool {
    guard first.count == second.count, first.sum == second.sum else { return false }
    guard first.least == second.least, first.greatest == second.greatest else { return false }
    return first.starts.indices.allSatisfy { first.counters(of: $0) == second.counters(of: $0) }
  }

  private func counters(of group: Int) -> ArraySlice<UInt64>? {
    guard starts[group] >= 0 else { return nil }
    return counters[Int(starts[group])..<Int(starts[group]) + HistogramLayout.bucketsPerGroup]
  }
}

/// Where the buckets of a histogram lie.
private enum HistogramLayout {
  static let bucketsPerGroup = 32
  /// One for 0 to 31, and one for each power of two from 2⁵ to 2⁶².
  static let groups = 59

  @inline(__always)
  static func place(of value: UInt64) -> (group: Int, bucket: Int) {
    guard value >= 32 else { return (0, Int(truncatingIfNeeded: value)) }
    let exponent = 63 &- value.leadingZeroBitCount
    // Bit 63 is never set in what a signed count of nanoseconds holds: the last group is 58.
    return (exponent &- 4, Int(truncatingIfNeeded: (value &>> UInt64(exponent &- 5)) & 31))
  }

  static func middle(group: Int, bucket: Int) -> Int64 {
    guard group > 0 else { return Int64(bucket) }
    let width = Int64(1) << Int64(group - 1)
    return (32 + Int64(bucket)) * width + (width - 1) / 2
  }
}
