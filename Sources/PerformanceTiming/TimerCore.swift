import CTimingSupport
import Glibc
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
  private let unkept = Atomic<UInt64>(0)
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

  /// The number of a name made at run time.
  func id(of name: String) -> NameID { recorder.id(of: name, self) }

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
      unkept.store(0, ordering: .relaxed)
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

  func countUnkept() { unkept.add(1, ordering: .relaxed) }
  var unkeptSpans: UInt64 { unkept.load(ordering: .relaxed) }

  // MARK: Stops without a start

  /// Notes a stop that nothing was open for; printed the first time a name does it.
  func noteUnmatchedStop(_ name: String) {
    let isFirst = unmatched.withLock { $0.add(name) }
    if isFirst, printsSpans.load(ordering: .relaxed) {
      options.write(options.linePrefix + "stop(\"\(name)\") without a start\n")
    }
  }

  var unmatchedStops: [String: UInt64] { unmatched.withLock { $0.counts } }
}

/// Stops that had no start, by name: of a hundred names, and of the rest together.
struct UnmatchedStops {
  private(set) var counts: [String: UInt64] = [:]

  /// Counts one; true when the name is new.
  mutating func add(_ name: String) -> Bool {
    let isKnown = counts[name] != nil
    guard isKnown || counts.count < 100 else {
      counts["(other)", default: 0] += 1
      return false
    }
    counts[name, default: 0] += 1
    return !isKnown
  }
}

/// The recordings of several threads as one.
struct MergedRecording {
  /// By place in the tree; nil where nothing was measured.
  private(set) var statistics: [SpanStatistics?] = []
  private(set) var kept: [FinishedSpan] = []
  /// Each with the kernel's number of its thread, or 0 in a task.
  private(set) var openWithThread: [(span: OpenSpan, threadID: Int32)] = []
  var abandoned = AbandonedSpans()

  var open: [OpenSpan] { openWithThread.map(\.span) }

  mutating func add(openInTasks spans: [OpenSpan]) { openWithThread += spans.map { ($0, 0) } }

  mutating func add(_ recording: borrowing ThreadRecording, threadHasEnded: Bool) {
    for figures in recording.allStatistics {
      let index = Int(figures.path)
      if index >= statistics.count {
        statistics.append(contentsOf: repeatElement(nil, count: index + 1 - statistics.count))
      }
      if statistics[index] == nil { statistics[index] = figures } else { statistics[index]?.merge(figures) }
    }
    kept += recording.kept
    abandoned.add(recording.open.abandoned)
    if threadHasEnded {
      // Nobody is left who could stop them.
      for span in recording.open.all { abandoned.add(span.name) }
    } else {
      let threadID = recording.threadID
      openWithThread += recording.open.all.map { ($0, threadID) }
    }
  }
}

/// The recorders of one thread, one for each timer it has used; the thread's own, and gone when it ends.
final class ThreadRecorders {
  private var recorders: [ThreadRecorder] = []

  /// Hands the recordings of an ending thread over.
  private static let atThreadEnd: pthread_key_t? = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { pointer in
      guard let pointer else { return }
      // What destructors that run later measure gets a new list, and a new call of this one.
      cts_set_recorders(nil)
      cts_set_recorder(0, nil)
      Unmanaged<ThreadRecorders>.fromOpaque(pointer).takeRetainedValue().retire()
    }
    return code == 0 ? key : nil
  }()

  /// Those of this thread.
  static var current: ThreadRecorders {
    if let known = cts_recorders() { return Unmanaged<ThreadRecorders>.fromOpaque(known).takeUnretainedValue() }
    let made = Unmanaged.passRetained(ThreadRecorders())
    cts_set_recorders(made.toOpaque())
    if let key = atThreadEnd { pthread_setspecific(key, made.toOpaque()) }
    return made.takeUnretainedValue()
  }

  @inline(never)
  func recorder(of core: TimerCore) -> ThreadRecorder {
    let recorder = recorders.first { $0.core === core } ?? make(core)
    cts_set_recorder(core.number, recorder.local.opaque)
    return recorder
  }

  private func make(_ core: TimerCore) -> ThreadRecorder {
    // Timers that are gone are let go here, so that making timers again and again does not add up.
    recorders.removeAll { $0.core.isClosed }
    let recorder = ThreadRecorder(core)
    recorders.append(recorder)
    core.add(recorder)
    return recorder
  }

  private func retire() { for recorder in recorders { recorder.core.retire(recorder) } }
}
