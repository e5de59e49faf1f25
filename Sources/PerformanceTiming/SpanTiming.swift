/// What one finished span took.
public struct SpanTiming: Sendable, Equatable {
  let nanoseconds: Int64
  var threadCPUNanoseconds: Int64 = -1
  var processCPUNanoseconds: Int64 = -1

  @inline(__always)
  init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The time that passed, never negative.
  public var wall: Duration { .nanoseconds(nanoseconds) }

  /// The processor time of the thread, where the options measure it.
  ///
  /// `nil` where they do not, where the span ended on another thread than it began on, and for the asynchronous `measure`.
  /// A `start` and its `stop` with an `await` between them may be on the same thread by chance; then what other tasks did
  /// there meanwhile is counted too.
  public var threadCPU: Duration? { threadCPUNanoseconds < 0 ? nil : .nanoseconds(threadCPUNanoseconds) }

  /// The processor time of the whole process, all its threads, where the options measure it.
  public var processCPU: Duration? { processCPUNanoseconds < 0 ? nil : .nanoseconds(processCPUNanoseconds) }
}
