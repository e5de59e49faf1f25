import CTimingSupport
import Synchronization

/// Times named parts of a program.
///
/// ```swift
/// PerformanceTimer.start("parse")
/// PerformanceTimer.stop("parse")                       // what it took; debug builds print a line too
/// let tree = PerformanceTimer.measure("parse") { parse(text) }
/// print(PerformanceTimer.report().text)
/// ```
///
/// A span that begins while another one is open in the same task, or on the same thread outside of tasks, lies below it in
/// the report; so does one in a child task of a `measure`. Any number of spans of one name may be open at once.
///
/// Uncontended, a span by literal name costs what two reads of the clock cost and as much again (see `benchmarks timing`);
/// a name made at run time adds a look-up by hash. Each thread records for itself, so threads do not slow each other down.
/// Memory is bounded by the number of names (`TimerOptions.nameLimit`) and threads, never by the number of spans: about
/// 20 KiB for each thread at once, and 1 to 15 KiB for each thread and place in the tree.
///
/// Not to be used in signal handlers.
public final class PerformanceTimer: Sendable {
  /// The timer of the whole program, which the static functions use; made at its first use.
  public static let shared = sharedSetUp.withLock { setUp in
    setUp.isDone = true
    return PerformanceTimer(setUp.options)
  }

  private static let sharedSetUp = Mutex((options: TimerOptions(), isDone: false))

  /// Sets the options of `shared`, the default ones otherwise: processor time, a trace, a prefix.
  ///
  /// - Returns: false when the timer is in use already; then nothing changes.
  @discardableResult
  public static func setUpShared(_ options: TimerOptions) -> Bool {
    sharedSetUp.withLock { setUp in
      if !setUp.isDone { setUp.options = options }
      return !setUp.isDone
    }
  }

  let core: TimerCore

  /// A timer with names of its own.
  public init(_ options: TimerOptions = TimerOptions()) { core = TimerCore(options) }

  deinit { core.close() }

  /// Whether each finished span prints a line; `TimerOptions.printsSpans` at the start.
  public var printsSpans: Bool {
    get { core.printsSpans.load(ordering: .relaxed) }
    set { core.printsSpans.store(newValue, ordering: .relaxed) }
  }

  /// The options the timer was made with, each limit brought into its range.
  public var options: TimerOptions { core.options }

  /// Forgets everything that has been measured. Open spans stay open, and known names stay known.
  public func reset() { core.clear() }

  // MARK: By name

  /// Begins a span, which `stop` with the same name will end.
  ///
  /// - Parameter name: a literal, which is told apart by its address.
  public func start(_ name: StaticString) { core.start(SpanName(name)) }

  // Disfavored, as all forms with a String are: a literal would rather be one than a StaticString.

  /// Begins a span with a name that is made at run time. Thousands of different names end in `(other)`.
  @_disfavoredOverload
  public func start(_ name: String) { core.start(SpanName(core.id(of: name))) }

  /// Ends the span of this name that began last in this task, or on this thread outside of tasks.
  ///
  /// - Returns: what it took; `nil` without such a span, which the report lists and a line says the first time.
  @discardableResult
  public func stop(_ name: StaticString) -> SpanTiming? {
    let end = core.clock.wall
    if let timing = core.stop(SpanName(name), at: end) { return timing }
    core.noteUnmatchedStop(String(describing: name))
    return nil
  }

  /// Ends the span of a name that is made at run time.
  @_disfavoredOverload
  @discardableResult
  public func stop(_ name: String) -> SpanTiming? {
    let end = core.clock.wall
    if let timing = core.stop(SpanName(core.id(of: name, listing: false)), at: end) { return timing }
    core.noteUnmatchedStop(name)
    return nil
  }
}

extension PerformanceTimer {
  /// Begins a span of the shared timer.
  public static func start(_ name: StaticString) { shared.start(name) }

  /// Begins a span of the shared timer with a name that is made at run time.
  @_disfavoredOverload
  public static func start(_ name: String) { shared.start(name) }

  /// Ends a span of the shared timer.
  @discardableResult
  public static func stop(_ name: StaticString) -> SpanTiming? { shared.stop(name) }

  /// Ends a span of the shared timer with a name that is made at run time.
  @_disfavoredOverload
  @discardableResult
  public static func stop(_ name: String) -> SpanTiming? { shared.stop(name) }
}
