/// The recordings of several threads as one.
struct MergedRecording {
  /// By place in the tree; nil where nothing was measured.
  private(set) var statistics: [SpanStatistics?] = []
  private(set) var kept: [FinishedSpan] = []
  private(set) var unkeptCount: UInt64 = 0
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
    unkeptCount &+= recording.unkeptCount
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
