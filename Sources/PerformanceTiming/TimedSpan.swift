import CTimingSupport
import Synchronization

/// A span as a value that may be handed to another task or thread, and ended there.
///
/// Nothing lies below it by itself, since it belongs to no task: begin its parts with `begin(_:)` of the span. Making one
/// costs an allocation more than a span by name.
public final class TimedSpan: Sendable {
  private let timer: PerformanceTimer
  private let open: OpenSpan
  private let hasEnded = Atomic<Bool>(false)

  fileprivate init(_ timer: PerformanceTimer, _ name: SpanName, below parent: Enclosing?) {
    self.timer = timer
    open = timer.core.beginHandle(name, below: parent)
  }

  /// Ends the span.
  ///
  /// - Returns: what it took; `nil` if it had ended before: the first end is the one that counts.
  @discardableResult
  public func end() -> SpanTiming? {
    let end = timer.core.clock.wall
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return nil }
    return timer.core.endHandle(open, at: end)
  }

  /// The time since the span began, whether or not it has ended.
  public var elapsed: Duration {
    .nanoseconds(Nanoseconds.elapsed(from: open.start.wall, to: timer.core.clock.wall))
  }

  /// Begins a span below this one.
  public func begin(_ name: StaticString) -> TimedSpan {
    TimedSpan(timer, SpanName(name), below: Enclosing(path: open.path, depth: open.depth))
  }

  /// Begins a span below this one, with a name that is made at run time.
  @_disfavoredOverload
  public func begin(_ name: String) -> TimedSpan {
    TimedSpan(
      timer, SpanName(timer.core.id(of: name)), below: Enclosing(path: open.path, depth: open.depth))
  }

  deinit {
    // Let go without an end: the report lists it among those that will never end.
    if !hasEnded.load(ordering: .relaxed) { timer.core.abandonHandle(open) }
  }
}

extension PerformanceTimer {
  /// Begins a span that ends when its handle says so, on any thread and in any task.
  ///
  /// It lies below the span that is open where it begins.
  public func begin(_ name: StaticString) -> TimedSpan { TimedSpan(self, SpanName(name), below: nil) }

  /// Begins a span with a handle, and with a name that is made at run time.
  @_disfavoredOverload
  public func begin(_ name: String) -> TimedSpan { TimedSpan(self, SpanName(core.id(of: name)), below: nil) }

  /// Begins a span of the shared timer with a handle.
  public static func begin(_ name: StaticString) -> TimedSpan { shared.begin(name) }

  /// Begins a span of the shared timer with a handle, and with a name that is made at run time.
  @_disfavoredOverload
  public static func begin(_ name: String) -> TimedSpan { shared.begin(name) }
}

extension TimerCore {
  fileprivate func beginHandle(_ name: SpanName, below given: Enclosing?) -> OpenSpan {
    let recorder = self.recorder
    let parent = given ?? enclosing(task: cts_task_id(), recorder)
    let place = recorder.place(of: name, below: parent.path, self)
    let number = handles.add(1, ordering: .relaxed).oldValue
    let span = OpenSpan(
      owner: number | OpenSpan.handleBit, nameKey: name.key, name: place.name, path: place.path,
      depth: parent.depth &+ 1,
      isScoped: true, serial: number | OpenSpan.handleBit, start: clock.start(on: recorder.number))
    tasks.with(owner: span.owner) { $0.push(span) }
    return span
  }

  fileprivate func endHandle(_ span: OpenSpan, at end: Int64) -> SpanTiming {
    let recorder = self.recorder
    tasks.with(owner: span.owner) { _ = $0.remove(serial: span.serial) }
    let timing = clock.timing(from: span.start, to: end, on: recorder.number)
    record(timing, path: span.path, owner: span.owner, start: span.start.wall, recorder)
    return timing
  }

  fileprivate func abandonHandle(_ span: OpenSpan) {
    tasks.with(owner: span.owner) { $0.abandon(serial: span.serial) }
  }
}
