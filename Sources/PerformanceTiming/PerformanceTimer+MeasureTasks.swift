import CTimingSupport

extension PerformanceTimer {
  /// Runs an asynchronous body as a span: it ends when the body returns or throws, on whatever thread that is.
  ///
  /// Spans in child tasks, and in tasks the body makes with `Task { }`, lie below it in the report. The body runs where
  /// the caller does. It costs several times the synchronous form: for the task-local value, and for being asynchronous.
  /// It has no thread CPU time, because its thread works for other tasks while it waits.
  ///
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, `CancellationError` included.
  @inlinable
  @discardableResult
  nonisolated(nonsending)
    public func measure<Value, Failure: Error>(
      _ name: StaticString, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value
  {
    let span = beginInTask(name)
    // `withValue` does not know typed errors, so the outcome crosses it as a value.
    let outcome: Result<Value, Failure> = await InheritedSpan.current.withValue(span.inheritance) {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    endInTask(span)
    return try outcome.get()
  }

  /// Runs an asynchronous body as a span with a name that is made at run time.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  nonisolated(nonsending)
    public func measure<Value, Failure: Error>(
      _ name: String, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value
  {
    let span = beginInTask(name)
    // Not shared with the form above: another asynchronous function between would cost as much as the clock.
    let outcome: Result<Value, Failure> = await InheritedSpan.current.withValue(span.inheritance) {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    endInTask(span)
    return try outcome.get()
  }

  /// Runs an asynchronous body as a span of the shared timer.
  @inlinable
  @discardableResult
  nonisolated(nonsending)
    public static func measure<Value, Failure: Error>(
      _ name: StaticString, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value
  {
    try await shared.measure(name, body)
  }

  /// Runs an asynchronous body as a span of the shared timer with a name that is made at run time.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  nonisolated(nonsending)
    public static func measure<Value, Failure: Error>(
      _ name: String, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value
  {
    try await shared.measure(name, body)
  }
}

/// A span of an asynchronous `measure` under way.
@usableFromInline
struct TaskSpan {
  let open: OpenSpan
  /// What tasks made by the body see.
  @usableFromInline let inheritance: InheritedSpan
}

extension PerformanceTimer {
  @usableFromInline
  func beginInTask(_ name: StaticString) -> TaskSpan { core.beginInTask(SpanName(name)) }

  @usableFromInline
  func beginInTask(_ name: String) -> TaskSpan { core.beginInTask(SpanName(core.id(of: name))) }

  @usableFromInline
  func endInTask(_ span: TaskSpan) { core.endInTask(span.open) }
}

extension TimerCore {
  // These two are never inlined: a thread-local variable must not be looked up before a wait and used after it.

  @inline(never)
  fileprivate func beginInTask(_ name: SpanName) -> TaskSpan {
    let recorder = self.recorder
    let task = cts_task_id()
    let parent = enclosing(task: task, recorder)
    let place = recorder.place(of: name, below: parent.path, self)
    // Unique within the task's stripe: numbers of threads differ, and each counts its own.
    let serial = recorder.number << 40 ^ recorder.asOwner { $0.nextSerial() }
    let span = OpenSpan(
      owner: task, nameKey: name.key, name: place.name, path: place.path, depth: parent.depth &+ 1, isScoped: true,
      serial: serial,
      start: clock.start(on: recorder.number))
    tasks.with(owner: task) { $0.push(span) }
    return TaskSpan(open: span, inheritance: InheritedSpan(timer: number, path: place.path, depth: span.depth))
  }

  @inline(never)
  fileprivate func endInTask(_ span: OpenSpan) {
    let end = clock.wall
    let recorder = self.recorder
    tasks.with(owner: span.owner) { _ = $0.remove(serial: span.serial) }
    // While the body waited its thread worked for other tasks, even if it came back to the same one: the span has no
    // thread. Recorders are numbered from 1 on.
    let timing = clock.timing(from: span.start, to: end, on: 0)
    record(timing, path: span.path, owner: span.owner, start: span.start.wall, recorder)
  }
}
