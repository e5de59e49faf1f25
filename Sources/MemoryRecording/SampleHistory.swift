/// The series of one figure over a recording, in bounded memory.
///
/// All memory is taken and touched at the start, so that a recording of days costs what one of minutes does. When the
/// room is used up, every second point is dropped and from then on half as many are kept, each with the range of what it
/// stands for; 32 768 points hold nine hours at one sample a second before that happens. Dropping whole samples leaves
/// the distribution as it is, which the floors of the verdict rest on; averaging them would not.
public struct SampleHistory: Sendable {
  /// A kept sample, and the range of it and of the samples after it that were not kept.
  public struct Point: Hashable, Sendable {
    /// Seconds since the recording began.
    public var elapsed: Double
    /// The figure at that moment, in bytes.
    public var bytes: Double
    /// The least of this sample and those it stands for, in bytes.
    public var low: Double
    /// The most of this sample and those it stands for, in bytes.
    public var high: Double
  }

  /// How many points are held at the most, by default.
  public static let defaultCapacity = 32_768

  /// Of how many samples one is kept: 1, 2, 4, and so on.
  public private(set) var stride = 1
  /// How many samples there were.
  public private(set) var sampleCount = 0

  private var storage: [Point]
  private var count = 0

  /// An empty history.
  ///
  /// - Parameter capacity: points held at the most, at least 16; 32 bytes each.
  public init(capacity: Int = defaultCapacity) {
    // Written with something else than zeros: pages of zeros would not be resident until a sample came.
    storage = Array(repeating: Point(elapsed: -1, bytes: -1, low: -1, high: -1), count: max(capacity, 16) / 2 * 2)
  }

  /// The points, oldest first.
  public var points: ArraySlice<Point> { storage[..<count] }

  /// Adds a sample.
  public mutating func append(elapsed: Double, bytes: Double) {
    let isKept = sampleCount.isMultiple(of: stride)
    sampleCount += 1
    if isKept {
      if count == storage.count { halve() }
      // After halving, the sample in hand may no longer be one that is kept.
      if (sampleCount - 1).isMultiple(of: stride) {
        storage[count] = Point(elapsed: elapsed, bytes: bytes, low: bytes, high: bytes)
        count += 1
        return
      }
    }
    guard count > 0 else { return }
    storage[count - 1].low = min(storage[count - 1].low, bytes)
    storage[count - 1].high = max(storage[count - 1].high, bytes)
  }

  private mutating func halve() {
    for index in 0..<(count / 2) {
      var point = storage[index * 2]
      let dropped = storage[index * 2 + 1]
      point.low = min(point.low, dropped.low)
      point.high = max(point.high, dropped.high)
      storage[index] = point
    }
    count /= 2
    stride *= 2
  }
}
