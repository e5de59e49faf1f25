import CTimingSupport
import Synchronization

// The way of a span, from its begin to its end. Whatever is touched here belongs to this thread or to this task.

extension TimerCore {
  // MARK: Begin

  /// Begins a span that a stop will end.
  func start(_ name: SpanName) {
    let recorder = self.recorder
    let task = cts_task_id()
    let parent = enclosing(task: task, recorder)
    let place = recorder.place(of: name, below: parent.path, self)
    let start = clock.start(on: recorder.number)
    // A stop finds it by owner and name, so it needs no number.
    let span = OpenSpan(
      owner: task, nameKey: name.key, name: place.name, path: place.path, depth: parent.depth &+ 1, isScoped: false,
      serial: 0, start: start)
    if task == 0 {
      recorder.asOwner { $0.open.push(span) }
    } else {
      tasks.with(owner: task) { $0.push(span) }
    }
  }

  /// The span that encloses what this task, or this thread outside of tasks, is about to begin.
  @inline(__always)
  func enclosing(task: UInt64, _ recorder: LocalRecorder) -> Enclosing {
    // A thread that waits inside of a span may run tasks meanwhile, which are not in that span.
    var found = recorder.innermost(owner: task) ?? Enclosing()
    guard task != 0 else { return found }
    if let inTask = tasks.innermost(owner: task), inTask.depth > found.depth { found = inTask }
    if found.depth == 0, let outer = InheritedSpan.current.get()?.enclosing(number) { found = outer }
    return found
  }

  // MARK: End

  /// Ends the innermost span of a name; nil when there is none.
  func stop(_ name: SpanName, at end: Int64) -> SpanTiming? {
    let recorder = self.recorder
    let task = cts_task_id()
    // No closure here may hold this object: threads that count references to it share a line of memory.
    let key = name.key
    let last =
      task == 0
      ? recorder.asOwner { $0.open.popLast(owner: 0, key: key) }
      : tasks.with(owner: task) { $0.popLast(owner: task, key: key) }
    guard let span = last ?? search(name, task: task, recorder) else { return nil }
    let timing = clock.timing(from: span.start, to: end, on: recorder.number)
    record(timing, path: span.path, owner: task, start: span.start.wall, recorder)
    return timing
  }

  @inline(never)
  private func search(_ name: SpanName, task: UInt64, _ recorder: LocalRecorder) -> OpenSpan? {
    let id = name.id ?? paths.id(of: name.text, listing: false)
    guard task != 0 else { return recorder.asOwner { $0.open.pop(owner: 0, name: id) } }
    return tasks.with(owner: task) { $0.pop(owner: task, name: id) }
  }

  /// Counts a finished span, keeps it where there is a trace, prints it where that is wished.
  @inline(__always)
  func record(_ timing: SpanTiming, path: Int32, owner: UInt64, start: Int64, _ recorder: LocalRecorder) {
    recorder.asOwner { $0.add(timing, path: path) }
    finish(timing, path: path, owner: owner, start: start, recorder)
  }

  /// What is left to do for a span that has been counted.
  @inline(__always)
  func finish(_ timing: SpanTiming, path: Int32, owner: UInt64, start: Int64, _ recorder: LocalRecorder) {
    if keepsSpans.load(ordering: .relaxed) { keep(timing, path: path, owner: owner, start: start, recorder) }
    if printsSpans.load(ordering: .relaxed) { printLine(timing, path: path) }
  }

  @inline(never)
  func keep(_ timing: SpanTiming, path: Int32, owner: UInt64, start: Int64, _ recorder: LocalRecorder) {
    recorder.asOwner { recording in
      let span = FinishedSpan(
        path: path, threadID: recording.threadID, owner: owner, start: start, nanoseconds: timing.nanoseconds)
      recording.keep(span) { grantRoom() }
    }
  }
}
