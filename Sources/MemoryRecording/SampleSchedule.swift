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
    generator = SplitMix64(seed: seed)
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
