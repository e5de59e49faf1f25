/// What was measured: the statistics by place in the tree, the spans kept for a trace, the spans still open.
struct ThreadRecording: ~Copyable {
  /// The kernel's number of the thread, for the trace.
  let threadID: Int32
  /// Spans begun on this thread outside of tasks, and those of `measure` in whatever runs on it.
  var open = OpenSpans()
  private var statistics = Pile<SpanStatistics>()
  private(set) var kept: [FinishedSpan] = []
  /// Spans for which there was no room.
  private(set) var unkeptCount: UInt64 = 0
  /// How many spans this thread may still keep without asking.
  private var allowance = 0
  /// Numbers the spans that begin here.
  private var serials: UInt64 = 0

  /// For each place in the tree where its statistics are; -1 while this thread has none of them.
  private var places = Pile<Int32>()

  init(threadID: Int32) { self.threadID = threadID }

  @inline(__always)
  mutating func nextSerial() -> UInt64 {
    serials &+= 1
    return serials
  }

  @inline(__always)
  mutating func add(_ timing: SpanTiming, path: Int32) {
    let index = Int(path)
    var place = index < places.count ? Int(places[index]) : -1
    if place < 0 { place = makePlace(path) }
    statistics[place].add(timing)
  }

  @inline(never)
  private mutating func makePlace(_ path: Int32) -> Int {
    while places.count <= Int(path) { places.append(-1) }
    places[Int(path)] = Int32(statistics.count)
    statistics.append(SpanStatistics(path: path))
    return statistics.count - 1
  }

  /// The figures of all places, for reports.
  var allStatistics: [SpanStatistics] { statistics.array }

  /// Keeps a span for the trace; `more` is asked for room from time to time.
  mutating func keep(_ span: FinishedSpan, more: () -> Int) {
    if allowance == 0 { allowance = more() }
    guard allowance > 0 else {
      unkeptCount &+= 1
      return
    }
    allowance -= 1
    kept.append(span)
  }

  /// How many spans the thread may still keep, which from now on others may.
  mutating func giveRoomBack() -> Int {
    defer { allowance = 0 }
    return allowance
  }

  /// Forgets what has ended; what is open stays.
  mutating func clear() {
    statistics.removeAll()
    places.removeAll()
    kept = []
    unkeptCount = 0
    allowance = 0
  }
}

/// The figures of all spans at one place in the tree.
struct SpanStatistics {
  let path: Int32
  private(set) var wall = DurationHistogram()
  private(set) var threadCPU = ProcessorTime()
  private(set) var processCPU = ProcessorTime()

  init(path: Int32) { self.path = path }

  @inline(__always)
  mutating func add(_ timing: SpanTiming) {
    wall.add(nanoseconds: timing.nanoseconds)
    if timing.threadCPUNanoseconds >= 0 { threadCPU.add(timing.threadCPUNanoseconds) }
    if timing.processCPUNanoseconds >= 0 { processCPU.add(timing.processCPUNanoseconds) }
  }

  mutating func merge(_ other: SpanStatistics) {
    wall.merge(other.wall)
    threadCPU.add(other.threadCPU.nanoseconds, count: other.threadCPU.count)
    processCPU.add(other.processCPU.nanoseconds, count: other.processCPU.count)
  }
}

/// Processor time of those spans that have any.
struct ProcessorTime {
  private(set) var count: UInt64 = 0
  private(set) var nanoseconds: Int64 = 0

  mutating func add(_ more: Int64, count moreSpans: UInt64 = 1) {
    count &+= moreSpans
    nanoseconds = Nanoseconds.adding(nanoseconds, more)
  }
}

/// A span that is kept for the trace.
struct FinishedSpan {
  let path: Int32
  let threadID: Int32
  /// The task or handle; 0 for none.
  let owner: UInt64
  let start: Int64
  let nanoseconds: Int64
}
