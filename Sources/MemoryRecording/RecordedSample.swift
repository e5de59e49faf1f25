import ProcessMemory

/// One moment of a recording. A row of the CSV, and a point of the series that is judged.
public struct RecordedSample: Hashable, Sendable {
  /// Seconds since the recording began, on a clock that counts while the machine is suspended.
  public var elapsed: Double
  /// Seconds since 1970, as the wall clock had it.
  public var unixTime: Double
  /// The process that was read, or the root of the tree.
  public var processID: Int32
  /// What the target used; `nil` where it could not be read at that moment: a gap, and never zeros.
  public var reading: TargetReading?
  /// What a look at the details showed, at the moments at which one was taken.
  public var details: DetailedMemoryUsage?

  /// What the program has allocated and not freed, in bytes, at the moments at which its heap was looked at.
  public var heapBytes: UInt64?

  /// What the target used, without the rest of the reading.
  public var usage: MemoryUsage? { reading?.usage }

  /// A moment of a recording.
  public init(
    elapsed: Double, unixTime: Double, processID: Int32, reading: TargetReading?, details: DetailedMemoryUsage? = nil
  ) {
    self.elapsed = elapsed
    self.unixTime = unixTime
    self.processID = processID
    self.reading = reading
    self.details = details
  }
}
