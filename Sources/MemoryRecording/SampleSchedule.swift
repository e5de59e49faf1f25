/// When samples are due: every `interval` seconds from the start, each moved by up to a tenth of the interval at random.
///
/// The jitter keeps the samples from falling into step with work that the target does once a second; the plan is
/// absolute, so no delay adds up. A sample that comes too late, after a suspended machine say, is not made up for:
/// the plan goes on with the next one due.
public struct SampleSchedule: Sendable {
  /// Seconds between samples.
  public let interval: Double
  /// The largest shift of a sample, as a share of the interval. 10 % is what the field uses: enough to leave any fixed
  /// period within a few samples, too little to count as a gap.
  public static let jitter = 0.1

  private var tick: Double = 0
  private var generator: SplitMix64

  /// A plan whose first sample is due at zero.
  ///
  /// - Parameters:
  ///   - interval: seconds, greater than zero; smaller values than a microsecond count as one.
  ///   - seed: makes the jitter repeatable.
  public init(interval: Double, seed: UInt64) {
    self.interval = interval.isFinite ? max(interval, 1e-6) : 1
    generator = SplitMix64(state: seed)
  }

  /// When the sample after one taken at `elapsed` is due, in seconds since the start; always later than `elapsed`.
  public mutating func next(after elapsed: Double) -> Double {
    // Sample `tick` may be moved back by a tenth: the next one is the first whose earliest moment is still to come.
    let following = (elapsed / interval + Self.jitter).rounded(.down) + 1
    tick = max(tick + 1, following)
    let shift = (generator.nextUnit() * 2 - 1) * Self.jitter
    return (tick + shift) * interval
  }
}

/// A small generator with a seed, for jitter (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
/// generators"); the standard library's cannot be seeded.
struct SplitMix64 {
  var state: UInt64

  /// Evenly between 0 and 1.
  mutating func nextUnit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Double(bits >> 11) * 0x1p-53
  }
}
