/// What a timer has measured, as a tree of names.
///
/// A value: it does not change when the timer goes on. All durations are whole nanoseconds.
public struct TimingReport: Sendable, Equatable {
  /// The spans at one place in the tree: of one name, enclosed by the same names.
  public struct Node: Sendable, Equatable {
    /// The name, or `(other)`.
    public var name: String
    /// How many spans have ended here.
    public var count: UInt64
    /// Their durations together. Spans that ran at the same time each count in full.
    public var total: Duration
    /// The total less that of the children; 0 where children that ran at the same time, or outlived their parent, took
    /// more than there was.
    public var selfTime: Duration
    /// The shortest span, exactly.
    public var min: Duration
    /// The arithmetic mean, exactly.
    public var mean: Duration
    /// The median, to within `DurationHistogram.maximumRelativeError`, as are the two percentiles that follow.
    public var p50: Duration
    /// What nine in ten spans do not exceed.
    public var p90: Duration
    /// What 99 in a hundred spans do not exceed.
    public var p99: Duration
    /// The longest span, exactly.
    public var max: Duration
    /// Processor time of the threads, of those spans that have any; `nil` where none has or the options do not measure it.
    public var threadCPU: ProcessorTotal?
    /// Processor time of the process; likewise.
    public var processCPU: ProcessorTotal?
    /// The places below, by falling total.
    public var children: [Node]
  }

  /// Processor time of several spans.
  public struct ProcessorTotal: Sendable, Equatable {
    /// How many spans it is of: those that ended on the thread they began on.
    public var count: UInt64
    /// The time of all of them.
    public var total: Duration
  }

  /// A span that has begun and not ended.
  public struct RunningSpan: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// The time since it began.
    public var elapsed: Duration
  }

  /// A name, and how many spans or stops it is about.
  public struct NameCount: Sendable, Equatable, Codable {
    /// The name, or `(other)`.
    public var name: String
    /// How many.
    public var count: UInt64
  }

  /// The places that are enclosed by none, by falling total.
  public var roots: [Node]
  /// Spans that are open at this moment, the oldest first: of `start` without `stop`, of handles, and of `measure`.
  public var running: [RunningSpan]
  /// Spans that nobody can end any more: their thread or their handle is gone, or there were too many.
  public var abandoned: [NameCount]
  /// Stops that had no start.
  public var unmatchedStops: [NameCount]
  /// The most names that are told apart.
  public var nameLimit: Int
  /// How many spans are counted under `(other)`, because of the limits on names, places and depth.
  public var otherCount: UInt64
  /// The time since the timer was made.
  public var elapsed: Duration
}

extension TimingReport {
  /// Every place with its depth, parents before children.
  public var nodes: [(depth: Int, node: Node)] {
    var result: [(depth: Int, node: Node)] = []
    func visit(_ node: Node, _ depth: Int) {
      result.append((depth, node))
      for child in node.children { visit(child, depth + 1) }
    }
    for root in roots { visit(root, 0) }
    return result
  }

  /// The place that is reached by these names from the top; `nil` where there is none.
  public subscript(_ path: String...) -> Node? {
    var level = roots
    var found: Node?
    for name in path {
      found = level.first { $0.name == name }
      level = found?.children ?? []
    }
    return found
  }
}

extension PerformanceTimer {
  /// Everything measured until now. Costs about 10 µs for each place and thread, and holds each thread up for its part.
  public func report() -> TimingReport { ReportBuilder(core).report }

  /// Everything the shared timer has measured until now.
  public static func report() -> TimingReport { shared.report() }
}
