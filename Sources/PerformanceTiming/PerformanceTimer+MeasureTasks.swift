import CTimingSupport

extension PerformanceTimer {
  /// Runs an asynchronous body as a span: it ends when the body returns or throws, on whatever thread that is.
  ///
  /// Spans in child tasks, and in tasks the body makes with `Task { }`, lie below it in the report. The body runs where
  /// the caller does. It costs about twice the synchronous form, for the task-local value.
  ///
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, `CancellationError` included.
  nonisolated(nonsending)
    public func measure<Value, Failure: Error>(
      _ name: StaticString, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value
  {
    try await core.measure(SpanName(name), body)
  }

  /// Runs an asynchronous body as a span with a name that is made at run time.
  @_disfavoredOverload
  nonisolated(nonsending)
    public func measure<Value, Failure: Error>(
      _ name: String, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value
  {
    try await core.measure(SpanName(core.paths.id(of: name)), body)
  }

  /// Runs an asynchronous body as a span of the shared timer.
  nonisolated(nonsending)
    public static func measure<Value, Failure: Error>(
      _ name: StaticString, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value
  {
    try await shared.measure(name, body)
  }

  /// Runs an asynchronous body as a span of the shared timer with a name that is made at run time.
  @_disfavoredOverload
  nonisolated(nonsending)
    public static func measure<Value, Failure: Error>(
      _ name: String, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value
  {
    try await shared.measure(name, body)
  }
}

extension TimerCore {
  nonisolated(nonsending)
    fileprivate func measure<Value, Failure: Error>(
      _ name: SpanName, _ body: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value
  {
    let span = beginInTask(name)
    let here = InheritedSpan(timer: number, path: span.path, depth: span.depth)
    // `withValue` does not know typed errors, so the outcome crosses it as a value.
    let outcome: Result<Value, Failure> = await inherited.withValue(here) {
      do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
    }
    endInTask(span)
    return try outcome.get()
  }

  // These two are never inlined: a thread-local variable must not be looked up before a wait and used after it.

  @inline(never)
  private func beginInTask(_ name: SpanName) -> OpenSpan {
    let recorder = self.recorder
    let task = cts_task_id()
    let parent = enclosing(task: task, recorder)
    let path = recorder.path(of: name, below: parent.path, self)
    let id = recorder.id(of: name, self)
    // Unique within the task's stripe: numbers of threads differ, and each counts its own.
    let serial = recorder.number << 40 ^ recorder.asOwner { $0.nextSerial() }
    let span = OpenSpan(
      owner: task, nameKey: name.key, name: id, path: path, depth: parent.depth &+ 1, isScoped: true, serial: serial,
      start: clock.start(on: recorder.number))
    tasks.with(owner: task) { $0.push(span) }
    return span
  }

  @inline(never)
  private func endInTask(_ span: OpenSpan) {
    let end = clock.wall
    let recorder = self.recorder
    tasks.with(owner: span.owner) { _ = $0.remove(serial: span.serial) }
    let timing = clock.timing(from: span.start, to: end, on: recorder.number)
    record(timing, path: span.path, owner: span.owner, start: span.start.wall, recorder)
  }
}
