import CTimingSupport

extension PerformanceTimer {
  /// Runs the body as a span: it ends when the body returns or throws.
  ///
  /// Tasks that the body makes are not below it in the report, but for those of the asynchronous form.
  ///
  /// - Returns: what the body returns.
  /// - Throws: what the body throws.
  @inlinable
  @discardableResult
  public func measure<Value: ~Copyable, Failure: Error>(
    _ name: StaticString, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let span = beginScope(name)
    defer { endScope(span) }
    return try body()
  }

  /// Runs the body as a span with a name that is made at run time.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func measure<Value: ~Copyable, Failure: Error>(
    _ name: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let span = beginScope(name)
    defer { endScope(span) }
    return try body()
  }

  /// Runs the body of a shared timer's span.
  @inlinable
  @discardableResult
  public static func measure<Value: ~Copyable, Failure: Error>(
    _ name: StaticString, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try shared.measure(name, body) }

  /// Runs the body of a shared timer's span with a name that is made at run time.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public static func measure<Value: ~Copyable, Failure: Error>(
    _ name: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try shared.measure(name, body) }
}

/// A span of `measure` under way; it stays on its thread.
@usableFromInline
struct ScopedSpan {
  let recorder: LocalRecorder
  let serial: UInt64
  let path: Int32
  let owner: UInt64
  let start: SpanStart
}

extension PerformanceTimer {
  @usableFromInline
  func beginScope(_ name: StaticString) -> ScopedSpan { core.beginScope(SpanName(name)) }

  @usableFromInline
  func beginScope(_ name: String) -> ScopedSpan { core.beginScope(SpanName(core.id(of: name))) }

  @usableFromInline
  func endScope(_ span: ScopedSpan) { core.endScope(span) }
}

extension TimerCore {
  /// Begins a span that lies on this thread's own pile, even in a task: its body cannot wait, so it cannot move.
  @inline(__always)
  fileprivate func beginScope(_ name: SpanName) -> ScopedSpan {
    let recorder = self.recorder
    let task = cts_task_id()
    let parent = enclosing(task: task, recorder)
    let place = recorder.place(of: name, below: parent.path, self)
    let start = clock.start(on: recorder.number)
    let serial = recorder.asOwner { recording in
      let serial = recording.nextSerial()
      recording.open.push(
        OpenSpan(
          owner: task, nameKey: name.key, name: place.name, path: place.path, depth: parent.depth &+ 1, isScoped: true,
          serial: serial, start: start))
      return serial
    }
    return ScopedSpan(
      recorder: recorder, serial: serial, path: place.path, owner: task, start: start)
  }

  @inline(__always)
  fileprivate func endScope(_ span: ScopedSpan) {
    let end = clock.wall
    let recorder = span.recorder
    let timing = clock.timing(from: span.start, to: end, on: recorder.number)
    recorder.asOwner { recording in
      recording.open.remove(serial: span.serial)
      recording.add(timing, path: span.path)
    }
    finish(timing, path: span.path, owner: span.owner, start: span.start.wall, recorder)
  }
}
