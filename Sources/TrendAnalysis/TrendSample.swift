/// One measurement: how much memory, and when.
public struct TrendSample: Codable, Sendable, Hashable {
  /// Seconds since any fixed moment of a clock that never steps. Only differences are used.
  public var elapsed: Double
  /// The amount in bytes. The analysis drops a value that is negative, not finite or above 10¹⁸, and counts it as missing.
  public var bytes: Double

  /// A measurement of `bytes` bytes, `elapsed` seconds into the run.
  public init(elapsed: Double, bytes: Double) {
    self.elapsed = elapsed
    self.bytes = bytes
  }

  /// A measurement of `bytes` bytes, `elapsed` seconds into the run. Above 2⁵³ bytes the amount is rounded.
  public init(elapsed: Double, bytes: some BinaryInteger) {
    self.init(elapsed: elapsed, bytes: Double(bytes))
  }
}
