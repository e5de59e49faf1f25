import CTimingSupport
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// One number of threads, running the same closure until the time is up.
struct BenchmarkRun {
  /// The figures; nil where the system did not grant the threads.
  let row: BenchmarkResult.Row?

  init(threads: Int, batch: Int, seconds: Double, _ body: @escaping @Sendable () -> Void) {
    let gate = StartingGate()
    let workers = (0..<threads).map { _ in
      BenchmarkWorker(gate: gate, batch: batch, nanoseconds: Int64(seconds * 1e9), body)
    }
    let started = workers.prefix { $0.start() }
    // Nobody waits for threads that do not come.
    gate.open(isCancelled: started.count < threads, after: started.count)
    for worker in started { worker.join() }
    guard started.count == threads else {
      row = nil
      return
    }
    var batches = DurationHistogram()
    for worker in workers { batches.merge(worker.batches) }
    row = BenchmarkResult.Row(
      threads: threads, calls: batches.count * UInt64(batch),
      callsPerSecond: workers.reduce(0) { $0 + $1.callsPerSecond }, batches: batches, batchSize: batch)
  }

  /// How many calls make 20 µs, at most 2²⁰: a thousand times what reading the clock takes.
  static func batchSize(_ body: () -> Void) -> Int {
    body()
    var size = 1
    while size < 1 << 20 {
      let start = cts_nanoseconds(CLOCK_MONOTONIC)
      for _ in 0..<size { body() }
      if cts_nanoseconds(CLOCK_MONOTONIC) - start >= 20_000 { break }
      size *= 2
    }
    return size
  }
}

/// Where threads wait until all are there: contention is wanted from the first call on.
private final class StartingGate: Sendable {
  private let waiting = Atomic<Int>(0)
  private let state = Atomic<Int>(0)

  /// Waits; false when the run is cancelled.
  func pass() -> Bool {
    waiting.add(1, ordering: .relaxed)
    var rounds: Int32 = 0
    while state.load(ordering: .acquiring) == 0 {
      cts_pause(rounds)
      rounds &+= 1
    }
    return state.load(ordering: .relaxed) == 1
  }

  func open(isCancelled: Bool, after count: Int) {
    var rounds: Int32 = 0
    while waiting.load(ordering: .relaxed) < count {
      cts_pause(rounds)
      rounds &+= 1
    }
    state.store(isCancelled ? 2 : 1, ordering: .releasing)
  }
}

/// One thread of a benchmark.
private final class BenchmarkWorker {
  private let gate: StartingGate
  private let batch: Int
  private let nanoseconds: Int64
  private let body: @Sendable () -> Void
  private var thread = pthread_t()

  // Written by the thread; read when it has ended.
  private(set) var batches = DurationHistogram()
  private(set) var callsPerSecond = 0.0

  init(gate: StartingGate, batch: Int, nanoseconds: Int64, _ body: @escaping @Sendable () -> Void) {
    self.gate = gate
    self.batch = batch
    self.nanoseconds = nanoseconds
    self.body = body
  }

  /// Starts the thread; false when there can be no more.
  func start() -> Bool {
    let this = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<BenchmarkWorker>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, this.toOpaque())
    if code != 0 { this.release() }
    return code == 0
  }

  func join() { pthread_join(thread, nil) }

  private func run() {
    guard gate.pass() else { return }
    var batches = DurationHistogram()
    let begin = cts_nanoseconds(CLOCK_MONOTONIC)
    // The first tenth warms caches and clocks up.
    let counted = begin + nanoseconds / 10
    let end = begin + nanoseconds
    var before = begin
    repeat {
      for _ in 0..<batch { body() }
      let after = cts_nanoseconds(CLOCK_MONOTONIC)
      if before >= counted || after >= end { batches.add(nanoseconds: max(after - before, 0)) }
      before = after
    } while before < end
    let seconds = Double(batches.meanNanoseconds) * Double(batches.count) * 1e-9
    callsPerSecond = seconds > 0 ? Double(batches.count) * Double(batch) / seconds : 0
    self.batches = batches
  }
}
