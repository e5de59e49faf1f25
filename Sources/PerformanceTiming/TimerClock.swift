import CTimingSupport

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Where a timer takes the time from.
///
/// Wall time never goes back: neither clock here is the one that people and NTP set. A read costs about 22 ns on x86-64.
public struct TimerClock: Sendable {
  /// Counts on while the machine sleeps (`CLOCK_BOOTTIME`, what `ContinuousClock` reads): the time that passed for people.
  public static let continuous = TimerClock(source: .system(CLOCK_BOOTTIME))
  /// Stands still while the machine sleeps (`CLOCK_MONOTONIC`, what `SuspendingClock` reads): the time the program had.
  public static let suspending = TimerClock(source: .system(CLOCK_MONOTONIC))

  /// A clock of your own, for tests.
  ///
  /// A clock that goes back makes spans of no time, never of a negative one.
  ///
  /// - Parameters:
  ///   - wall: the time since a moment of your choice.
  ///   - threadCPU: the processor time of the calling thread; asked for only where the options measure it.
  ///   - processCPU: the processor time of the process; likewise.
  public static func custom(
    wall: @escaping @Sendable () -> Duration, threadCPU: @escaping @Sendable () -> Duration = { .zero },
    processCPU: @escaping @Sendable () -> Duration = { .zero }
  ) -> TimerClock {
    TimerClock(source: .custom(CustomClock(wall: wall, threadCPU: threadCPU, processCPU: processCPU)))
  }

  enum Source: Sendable {
    case system(clockid_t)
    case custom(CustomClock)
  }

  let source: Source
}

/// The functions a custom clock is made of.
struct CustomClock: Sendable {
  let wall: @Sendable () -> Duration
  let threadCPU: @Sendable () -> Duration
  let processCPU: @Sendable () -> Duration
}

/// Reads the clocks a timer was set up with, as nanoseconds.
///
/// The processor clocks are system calls and cost over ten times as much as the wall clock, so they are read outside of
/// it: before the wall clock at a start, after it at an end.
struct ClockReader: Sendable {
  private let systemClock: clockid_t
  private let custom: CustomClock?
  let measuresThreadCPU: Bool
  let measuresProcessCPU: Bool

  init(_ options: TimerOptions) {
    switch options.clock.source {
    case .system(let clock): (systemClock, custom) = (clock, nil)
    case .custom(let clock): (systemClock, custom) = (CLOCK_MONOTONIC, clock)
    }
    measuresThreadCPU = options.measuresThreadCPU
    measuresProcessCPU = options.measuresProcessCPU
  }

  @inline(__always)
  var wall: Int64 {
    guard let custom else { return cts_nanoseconds(systemClock) }
    return Nanoseconds.of(custom.wall())
  }

  var threadCPU: Int64 {
    guard let custom else { return cts_nanoseconds(CLOCK_THREAD_CPUTIME_ID) }
    return Nanoseconds.of(custom.threadCPU())
  }

  var processCPU: Int64 {
    guard let custom else { return cts_nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }
    return Nanoseconds.of(custom.processCPU())
  }

  /// The moment a span begins, on the thread of the given recorder.
  @inline(__always)
  func start(on recorder: UInt64) -> SpanStart {
    guard measuresThreadCPU || measuresProcessCPU else { return SpanStart(wall: wall, recorder: recorder) }
    return startWithProcessorTime(on: recorder)
  }

  @inline(never)
  private func startWithProcessorTime(on recorder: UInt64) -> SpanStart {
    var start = SpanStart(wall: 0, recorder: recorder)
    if measuresProcessCPU { start.processCPU = processCPU }
    if measuresThreadCPU { start.threadCPU = threadCPU }
    start.wall = wall
    return start
  }

  /// The moment a span ends, but for the thread: the processor clocks follow in `timing(from:to:on:)`.
  @inline(__always)
  func timing(from start: SpanStart, to end: Int64, on recorder: UInt64) -> SpanTiming {
    var timing = SpanTiming(nanoseconds: Nanoseconds.elapsed(from: start.wall, to: end))
    guard measuresThreadCPU || measuresProcessCPU else { return timing }
    addProcessorTime(to: &timing, from: start, on: recorder)
    return timing
  }

  @inline(never)
  private func addProcessorTime(to timing: inout SpanTiming, from start: SpanStart, on recorder: UInt64) {
    // What another thread has used is no measure of this span.
    if measuresThreadCPU, start.recorder == recorder {
      timing.threadCPUNanoseconds = Nanoseconds.elapsed(from: start.threadCPU, to: threadCPU)
    }
    if measuresProcessCPU {
      timing.processCPUNanoseconds = Nanoseconds.elapsed(from: start.processCPU, to: processCPU)
    }
  }
}

/// When a span began, and where.
struct SpanStart {
  var wall: Int64
  var threadCPU: Int64 = 0
  var processCPU: Int64 = 0
  /// The number of the recorder, and so of the thread.
  var recorder: UInt64
}

/// Arithmetic on nanoseconds that neither traps nor wraps.
enum Nanoseconds {
  /// A duration in nanoseconds, at most what 64 bits hold (292 years).
  static func of(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    return adding(whole, attoseconds / 1_000_000_000)
  }

  /// The time between two moments; 0 where the clock went back.
  @inline(__always)
  static func elapsed(from start: Int64, to end: Int64) -> Int64 {
    let (difference, overflow) = end.subtractingReportingOverflow(start)
    guard !overflow else { return end > start ? .max : 0 }
    return max(difference, 0)
  }

  @inline(__always)
  static func adding(_ first: Int64, _ second: Int64) -> Int64 {
    let (sum, overflow) = first.addingReportingOverflow(second)
    guard !overflow else { return first < 0 ? .min : .max }
    return sum
  }
}
