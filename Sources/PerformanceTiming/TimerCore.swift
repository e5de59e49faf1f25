import CTimingSupport
import MeasurementText
import Synchronization

/// What the parts of a timer share. It outlives the timer as long as threads hold recorders of it.
final class TimerCore: Sendable {
  /// No two timers of a process have the same number.
  let number: UInt64
  let options: TimerOptions
  let clock: ClockReader
  let paths: SpanPaths
  let tasks = TaskSpans()
  let begun: Int64

  let printsSpans: Atomic<Bool>
  /// Whether spans are kept for the trace.
  let keepsSpans: Atomic<Bool>
  let handles = Atomic<UInt64>(0)
  private let room: Atomic<Int>
  private let threads = Mutex(Threads())
  private let unmatched = Mutex(UnmatchedStops())

  private static let numbers = Atomic<UInt64>(1)

  private struct Threads {
    var recorders: [ThreadRecorder] = []
    /// What threads that have ended left behind.
    var ended = MergedRecording()
    var isClosed = false
  }

  init(_ options: TimerOptions) {
    let options = options.sensible
    number = TimerCore.numbers.add(1, ordering: .relaxed).oldValue
    self.options = options
    clock = ClockReader(options)
    paths = SpanPaths(options)
    begun = clock.wall
    printsSpans = Atomic(options.printsSpans)
    keepsSpans = Atomic(options.traceLimit > 0)
    room = Atomic(options.traceLimit)
  }

  // MARK: Threads that come and go

  /// The recorder of this thread.
  @inline(__always)
  var recorder: LocalRecorder {
    guard let known = cts_recorder(number) else { return ThreadRecorders.current.recorder(of: self).local }
    // Set by this thread, which holds the recorder until it ends.
    return LocalRecorder(known)
  }

  /// Whether the timer is gone, so that nothing that is still measured will be asked for.
  var isClosed: Bool { threads.withLock { $0.isClosed } }

  /// The number of a name made at run time; a stop lists no name, only a start does.
  func id(of name: String, listing: Bool = true) -> NameID { recorder.id(of: name, listing: listing, self) }

  func add(_ recorder: ThreadRecorder) { threads.withLock { $0.recorders.append(recorder) } }

  /// Takes over what the recorder of an ending thread holds.
  func retire(_ recorder: ThreadRecorder) {
    threads.withLock { threads in
      guard let index = threads.recorders.firstIndex(where: { $0 === recorder }) else { return }
      threads.recorders.remove(at: index)
      recorder.asVisitor {
        threads.ended.add($0, threadHasEnded: true)
        room.add($0.giveRoomBack(), ordering: .relaxed)
      }
    }
  }

  /// Called when the timer goes: the recorders, which hold this object, are let go.
  func close() {
    threads.withLock { threads in
      threads.isClosed = true
      threads.recorders = []
      threads.ended = MergedRecording()
    }
  }

  /// Everything measured until now, of all threads together.
  func merged() -> MergedRecording {
    var result = threads.withLock { threads in
      var result = threads.ended
      for recorder in threads.recorders { recorder.asVisitor { result.add($0, threadHasEnded: false) } }
      return result
    }
    let (open, abandoned) = tasks.snapshot()
    result.add(openInTasks: open)
    result.abandoned.add(abandoned)
    return result
  }

  /// Forgets all spans that have ended.
  func clear() {
    threads.withLock { threads in
      threads.ended = MergedRecording()
      for recorder in threads.recorders { recorder.asVisitor { $0.clear() } }
      room.store(options.traceLimit, ordering: .relaxed)
    }
    unmatched.withLock { $0 = UnmatchedStops() }
  }

  // MARK: The trace

  /// Room for some more spans of one thread, or 0 when the limit is reached.
  func grantRoom() -> Int {
    let share = min(256, max(options.traceLimit / 64, 1))
    var left = room.load(ordering: .relaxed)
    while left > 0 {
      let granted = min(share, left)
      let (exchanged, original) = room.compareExchange(expected: left, desired: left - granted, ordering: .relaxed)
      if exchanged { return granted }
      left = original
    }
    return 0
  }

  // MARK: Stops without a start

  /// Notes a stop that nothing was open for; printed the first time a name does it.
  func noteUnmatchedStop(_ name: String) {
    let isFirst = unmatched.withLock { $0.add(name) }
    if isFirst, printsSpans.load(ordering: .relaxed) {
      options.write(options.linePrefix + "stop(\"\(LineText.bounded(name))\") without a start\n")
    }
  }

  var unmatchedStops: [String: UInt64] { unmatched.withLock { $0.counts } }
}
