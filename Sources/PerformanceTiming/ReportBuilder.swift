/// Makes the tree of a report from the flat figures of the threads.
struct ReportBuilder {
  let report: TimingReport

  init(_ core: TimerCore) {
    let now = core.clock.wall
    let merged = core.merged()
    // Names after figures: every place that has figures has its name by then.
    let tables = core.paths.snapshot
    let tree = Tree(merged.statistics, tables)
    func counts(_ spans: AbandonedSpans) -> [TimingReport.NameCount] {
      ReportBuilder.sorted(spans.counts.map { (ReportBuilder.name($0.key, tables), $0.value) })
    }
    report = TimingReport(
      roots: tree.nodes(below: SpanPaths.root),
      running: merged.open.sorted { $0.start.wall < $1.start.wall }.map {
        TimingReport.RunningSpan(
          name: ReportBuilder.name($0.name, tables),
          elapsed: .nanoseconds(Nanoseconds.elapsed(from: $0.start.wall, to: now)))
      },
      abandoned: counts(merged.abandoned),
      unmatchedStops: ReportBuilder.sorted(core.unmatchedStops.map { ($0.key, $0.value) }),
      nameLimit: core.options.nameLimit,
      otherCount: tree.otherCount,
      elapsed: .nanoseconds(Nanoseconds.elapsed(from: core.begun, to: now)))
  }

  static func name(_ id: NameID, _ tables: SpanPaths.Tables) -> String {
    guard let index = id.index, tables.names.indices.contains(index) else { return tables.names[0] }
    return tables.names[index]
  }

  private static func sorted(_ counts: [(String, UInt64)]) -> [TimingReport.NameCount] {
    counts.sorted { $0.1 != $1.1 ? $0.1 > $1.1 : $0.0 < $1.0 }.map { TimingReport.NameCount(name: $0.0, count: $0.1) }
  }
}

/// The places of a timer by what encloses them.
private struct Tree {
  private let statistics: [SpanStatistics?]
  private let tables: SpanPaths.Tables
  private var children: [[Int32]]

  init(_ statistics: [SpanStatistics?], _ tables: SpanPaths.Tables) {
    self.statistics = statistics
    self.tables = tables
    children = Array(repeating: [], count: tables.paths.count)
    for (index, path) in tables.paths.enumerated().dropFirst() { children[Int(path.parent)].append(Int32(index)) }
  }

  /// Spans whose name is not told.
  var otherCount: UInt64 {
    statistics.compactMap { $0 }.reduce(0) { sum, figures in
      tables.paths[Int(figures.path)].name == 0 ? sum + figures.wall.count : sum
    }
  }

  /// The places directly below one, those without any finished span in or below them left out.
  func nodes(below path: Int32) -> [TimingReport.Node] {
    children[Int(path)].compactMap(node).sorted { $0.total != $1.total ? $0.total > $1.total : $0.name < $1.name }
  }

  private func node(_ path: Int32) -> TimingReport.Node? {
    let figures = Int(path) < statistics.count ? statistics[Int(path)] : nil
    let below = nodes(below: path)
    guard figures != nil || !below.isEmpty else { return nil }
    let wall = figures?.wall ?? DurationHistogram()
    let inside = below.reduce(Duration.zero) { $0 + $1.total }
    func processor(_ time: ProcessorTime?) -> TimingReport.ProcessorTotal? {
      guard let time, time.count > 0 else { return nil }
      return TimingReport.ProcessorTotal(count: time.count, total: .nanoseconds(time.nanoseconds))
    }
    return TimingReport.Node(
      name: tables.name(ofPath: path), count: wall.count, total: wall.total,
      selfTime: max(wall.total - inside, .zero), min: wall.min ?? .zero, mean: wall.mean ?? .zero,
      p50: wall.percentile(0.5) ?? .zero, p90: wall.percentile(0.9) ?? .zero, p99: wall.percentile(0.99) ?? .zero,
      max: wall.max ?? .zero, threadCPU: processor(figures?.threadCPU), processCPU: processor(figures?.processCPU),
      children: below)
  }
}
