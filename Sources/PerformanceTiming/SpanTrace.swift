#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Single spans over time: what `TimerOptions.traceLimit` let a timer keep.
public struct SpanTrace: Sendable, Equatable {
  /// One span.
  public struct Entry: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// When it began, since the timer was made.
    public var start: Duration
    /// What it took; of a span that is still open, until the trace was taken.
    public var duration: Duration
    /// Whether it is still open.
    public var isRunning: Bool
    /// The kernel's number of the thread it ended on; 0 for a running span of a task.
    public var threadID: Int32
    /// Spans of one lane either follow or enclose each other: those of one task or thread share one as far as they do so.
    public var lane: Int
  }

  /// The spans, lane by lane, enclosing ones before enclosed ones.
  public var entries: [Entry]
  /// How many spans have ended since `traceLimit` was reached, and are in the statistics only.
  public var unkeptCount: UInt64
  /// The process.
  public var processID: Int32
}

extension PerformanceTimer {
  /// The spans kept until now, and those still open.
  public func trace() -> SpanTrace { TraceBuilder(core).trace }
}

/// Sorts the spans of a timer into lanes.
private struct TraceBuilder {
  let trace: SpanTrace

  /// A span with what is needed to place it.
  private struct Item {
    var entry: SpanTrace.Entry
    let depth: Int32
    let start: Int64
    let end: Int64
  }

  /// Who ran the spans of a lane: a task, a handle, or a thread outside of tasks.
  private enum Owner: Hashable {
    case task(UInt64)
    case thread(Int32)
  }

  init(_ core: TimerCore) {
    let now = core.clock.wall
    let merged = core.merged()
    let tables = core.paths.snapshot
    var groups: [Owner: [Item]] = [:]
    func add(_ path: Int32, owner: UInt64, threadID: Int32, start: Int64, nanoseconds: Int64, isRunning: Bool) {
      let begun = Nanoseconds.elapsed(from: core.begun, to: start)
      let entry = SpanTrace.Entry(
        name: tables.name(ofPath: path), start: .nanoseconds(begun), duration: .nanoseconds(nanoseconds),
        isRunning: isRunning, threadID: threadID, lane: 0)
      let item = Item(
        entry: entry, depth: tables.paths[Int(path)].depth, start: begun, end: Nanoseconds.adding(begun, nanoseconds))
      groups[owner == 0 ? .thread(threadID) : .task(owner), default: []].append(item)
    }
    for span in merged.kept {
      add(
        span.path, owner: span.owner, threadID: span.threadID, start: span.start, nanoseconds: span.nanoseconds,
        isRunning: false)
    }
    if core.options.traceLimit > 0 {
      for (span, threadID) in merged.openWithThread {
        let nanoseconds = Nanoseconds.elapsed(from: span.start.wall, to: now)
        add(
          span.path, owner: span.owner, threadID: threadID, start: span.start.wall, nanoseconds: nanoseconds,
          isRunning: true)
      }
    }
    trace = SpanTrace(entries: Self.lanes(groups.values), unkeptCount: merged.unkeptCount, processID: getpid())
  }

  /// All spans with their lanes. Within a group each span goes to the first lane in which it encloses, is enclosed, or
  /// follows; a timer that was started and stopped across another one opens a second lane.
  private static func lanes(_ groups: some Sequence<[Item]>) -> [SpanTrace.Entry] {
    let sorted = groups.map { $0.sorted(by: isBefore) }.sorted { isBefore($0[0], $1[0]) }
    var result: [SpanTrace.Entry] = []
    var count = 0
    for group in sorted {
      var lanes: [(items: [SpanTrace.Entry], open: [Int64])] = []
      for item in group {
        for index in lanes.indices {
          // Spans that have ended by now enclose nothing more, unless it is a span of no time at their very end.
          while let end = lanes[index].open.last, end <= item.start, end < item.end {
            lanes[index].open.removeLast()
          }
        }
        let lane = lanes.firstIndex { $0.open.last.map { item.end <= $0 } ?? true } ?? lanes.count
        if lane == lanes.count { lanes.append(([], [])) }
        lanes[lane].items.append(item.entry)
        lanes[lane].open.append(item.end)
      }
      for lane in lanes {
        count += 1
        result += lane.items.map {
          var entry = $0
          entry.lane = count
          return entry
        }
      }
    }
    return result
  }

  /// By time; of spans that begin at once the longer, or else the outer one first.
  private static func isBefore(_ first: Item, _ second: Item) -> Bool {
    if first.start != second.start { return first.start < second.start }
    if first.end != second.end { return first.end > second.end }
    if first.depth != second.depth { return first.depth < second.depth }
    return first.entry.name < second.entry.name
  }
}
