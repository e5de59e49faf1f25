import MeasurementText

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Runs a closure many times on one or more threads at once, and prints how long a call takes and how it scales.
///
/// ```swift
/// benchmark("a lock", threads: [1, 2, 4]) { counter.withLock { $0 += 1 } }
/// ```
///
/// A call is timed in batches long enough for the clock (20 µs), so each figure is the mean over a batch; single outliers
/// show in the maximum only as far as they outweigh their batch. What the closure computes belongs into `blackHole(_:)`.
///
/// - Parameters:
///   - name: what stands above the table.
///   - threads: how many threads run the closure at once, one table line for each number; each 1 to 1024.
///   - options: for how long, and where the text goes.
///   - body: the closure; all threads run the same one.
/// - Returns: what was measured.
@discardableResult
public func benchmark(
  _ name: String, threads: [Int] = [1], options: BenchmarkOptions = BenchmarkOptions(),
  _ body: @escaping @Sendable () -> Void
) -> BenchmarkResult {
  let batch = BenchmarkRun.batchSize(body)
  let emptyBatch = BenchmarkRun.batchSize {}
  let empty = BenchmarkRun(threads: 1, batch: emptyBatch, seconds: min(options.seconds, 0.02)) {}.row
  let rows = threads.compactMap {
    BenchmarkRun(threads: min(max($0, 1), 1024), batch: batch, seconds: options.seconds, body).row
  }
  let result = BenchmarkResult(
    name: name, rows: rows, batchSize: batch, emptyCallNanoseconds: empty?.medianNanoseconds ?? 0,
    processorCount: max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1))
  options.write(result.text)
  return result
}

/// How a benchmark is run.
public struct BenchmarkOptions: Sendable {
  /// For how long each number of threads runs.
  public var duration: Duration = .milliseconds(300)
  /// Where the table goes: standard output.
  public var write: @Sendable (String) -> Void = { text in
    print(text, terminator: "")
  }

  /// 0.3 s for each number of threads.
  public init() {}

  var seconds: Double { min(max(Double(Nanoseconds.of(duration)) * 1e-9, 0), 3600) }
}

/// What a benchmark has measured.
public struct BenchmarkResult: Sendable, Equatable {
  /// The figures of one number of threads.
  public struct Row: Sendable, Equatable {
    /// How many threads ran the closure at once.
    public var threads: Int
    /// How often they ran it, all together.
    public var calls: UInt64
    /// Calls in a second, all threads together.
    public var callsPerSecond: Double
    /// How long batches of calls took.
    public var batches: DurationHistogram
    /// How many calls a batch has.
    public var batchSize: Int

    /// Figures of your own, for tests of what reads them.
    public init(threads: Int, calls: UInt64, callsPerSecond: Double, batches: DurationHistogram, batchSize: Int) {
      self.threads = threads
      self.calls = calls
      self.callsPerSecond = callsPerSecond
      self.batches = batches
      self.batchSize = max(batchSize, 1)
    }

    /// The time of a call in nanoseconds at a share of the distribution: 0 the fastest batch, 0.5 the median, 1 the slowest.
    public func nanosecondsPerCall(atShare share: Double) -> Double {
      Double(batches.nanoseconds(atShare: share) ?? 0) / Double(batchSize)
    }

    var medianNanoseconds: Double { nanosecondsPerCall(atShare: 0.5) }
    var meanNanoseconds: Double {
      batches.count == 0 ? 0 : Double(Nanoseconds.of(batches.total)) / Double(batches.count) / Double(batchSize)
    }
  }

  /// What was measured.
  public var name: String
  /// One entry for each number of threads; a number that the system did not grant is missing.
  public var rows: [Row]
  /// How many calls a batch has.
  public var batchSize: Int
  /// What a call of an empty closure takes here: part of every figure, not taken off.
  public var emptyCallNanoseconds: Double
  /// How many processors there are.
  public var processorCount: Int

  /// Figures of your own, for tests of what reads them.
  public init(name: String, rows: [Row], batchSize: Int, emptyCallNanoseconds: Double, processorCount: Int) {
    self.name = name
    self.rows = rows
    self.batchSize = batchSize
    self.emptyCallNanoseconds = emptyCallNanoseconds
    self.processorCount = processorCount
  }

  /// How many times as many calls a second a row has as the first one; *n* times as many threads can reach *n* at best.
  public func scaling(of row: Row) -> Double {
    guard let first = rows.first, first.callsPerSecond > 0 else { return 0 }
    return row.callsPerSecond / first.callsPerSecond
  }

  /// The table, a line for each number of threads.
  public var text: String {
    var table = [["threads", "calls", "min", "mean", "p50", "p90", "p99", "max", "calls/s", "scaling"]]
    for row in rows {
      let shares = [0, nil, 0.5, 0.9, 0.99, 1]
      let times = shares.map { $0.map { row.nanosecondsPerCall(atShare: $0) } ?? row.meanNanoseconds }
      table.append(
        [String(row.threads), NumberText.grouped(row.calls)] + times.map(Self.time) + [
          Self.rate(row.callsPerSecond), NumberText.fixed(scaling(of: row), decimals: 2) + "x",
        ])
    }
    let processors = processorCount == 1 ? "1 processor" : "\(processorCount) processors"
    let calls = batchSize == 1 ? "each call timed" : "batches of \(NumberText.grouped(batchSize)) calls"
    let head =
      "\(name): time of one call (\(calls); \(processors); an empty call takes \(Self.time(emptyCallNanoseconds)))"
    let body = rows.isEmpty ? ["  no thread could be started"] : TextTable.lines(table).map { "  " + $0 }
    return ([head] + body).map { $0 + "\n" }.joined()
  }

  private static func time(_ nanoseconds: Double) -> String {
    nanoseconds < 99.95
      ? NumberText.fixed(nanoseconds, decimals: 1) + " ns" : DurationText.format(seconds: nanoseconds * 1e-9)
  }

  private static func rate(_ perSecond: Double) -> String {
    switch perSecond {
    case ..<999.5: NumberText.fixed(perSecond, decimals: 0)
    case ..<999_500: NumberText.fixed(perSecond / 1e3, decimals: 1) + " k"
    default: NumberText.fixed(perSecond / 1e6, decimals: 1) + " M"
    }
  }
}
