import ProcessMemory

/// One moment of a recording. A row of the CSV, and a point of the series that is judged.
public struct RecordedSample: Hashable, Sendable {
  /// Seconds since the recording began, on a clock that counts while the machine is suspended.
  public var elapsed: Double
  /// Seconds since 1970, as the wall clock had it.
  public var unixTime: Double
  /// The process that was read.
  public var processID: Int32
  /// What it used; `nil` where it could not be read at that moment: a gap, and never zeros.
  public var usage: MemoryUsage?

  /// A moment of a recording.
  public init(elapsed: Double, unixTime: Double, processID: Int32, usage: MemoryUsage?) {
    self.elapsed = elapsed
    self.unixTime = unixTime
    self.processID = processID
    self.usage = usage
  }
}
