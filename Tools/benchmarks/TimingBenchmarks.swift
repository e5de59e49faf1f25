// What a span costs beside the two reads of the clock that it cannot do without.

import BenchmarkFloors
import Glibc
import MeasurementText
import PerformanceTiming
import ProcessMemory
import Synchronization

enum TimingBenchmarks {
  private static let times = 20_000

  /// A timer that prints nothing, whatever the build and the environment say.
  private static let timer: PerformanceTimer = {
    var options = TimerOptions()
    options.printsSpans = false
    return PerformanceTimer(options)
  }()

  static func run(_ arguments: [String]) {
    print("  outside of tasks")
    spans()
    print("  in a task")
    onTask { spans() }
    onTask { await asynchronousSpans() }
    onAllCores()
    memory()
    report()
  }

  // MARK: One thread

  private static func spans() {
    against("start and stop", limit: 2.5) {
      for _ in 0..<times {
        timer.start("span")
        timer.stop("span")
      }
    }
    against("measure", limit: 2) {
      var sum = 0
      for index in 0..<times { timer.measure("span") { sum &+= index } }
      blackHole(sum)
    }
    against("measure inside of measure", limit: 2) {
      timer.measure("outer") {
        var sum = 0
        for index in 0..<times { timer.measure("span") { sum &+= index } }
        blackHole(sum)
      }
    }
    against("begin and end of a handle", limit: nil) {
      for _ in 0..<times { timer.begin("span").end() }
    }
    let names = (0..<16).map { "request \($0)" }
    against("start and stop by a name made at run time", limit: nil) {
      for index in 0..<times {
        timer.start(names[index & 15])
        timer.stop(names[index & 15])
      }
    }
    var options = TimerOptions()
    options.printsSpans = false
    options.measuresThreadCPU = true
    let withCPU = PerformanceTimer(options)
    against("measure with thread CPU time", limit: nil) {
      for _ in 0..<times { withCPU.measure("span") {} }
    }
  }

  /// An asynchronous span against what it must do besides reading the clock: bind a task-local value around the body.
  private static func asynchronousSpans() async {
    var ratios: [Double] = []
    var each = (ours: 0.0, floor: 0.0)
    for _ in 0..<31 {
      let start = PairedTiming.now()
      for _ in 0..<times { await timer.measure("waits") { await nothing() } }
      let middle = PairedTiming.now()
      for index in 0..<times { await Bound.$value.withValue(index) { await nothing() } }
      blackHole(floor_read_clock_twice(CLOCK_MONOTONIC, Int32(times)))
      let end = PairedTiming.now()
      ratios.append((middle - start) / (end - middle))
      each = (middle - start, end - middle)
    }
    print(
      "  measure of an asynchronous body (\(nanoseconds(each.ours)) against \(nanoseconds(each.floor)) for a bare"
        + " task-local value and the clock): \(NumberText.fixed(PairedTiming.median(ratios), decimals: 2)) x")
  }

  private enum Bound {
    @TaskLocal static var value = 0
  }

  @inline(never)
  private static func nothing() async {}

  /// The work, done `times` times, against as many pairs of clock reads.
  private static func against(_ name: String, limit: Double?, _ work: () -> Void) {
    let (ours, floor, ratio) = PairedTiming.run(rounds: 31, work) {
      blackHole(floor_read_clock_twice(CLOCK_MONOTONIC, Int32(times)))
    }
    let each = "\(name) (\(nanoseconds(ours)) against \(nanoseconds(floor)))"
    if let limit {
      printFigure(each, ratio, limit: limit, unit: "x")
    } else {
      print("  \(each): \(NumberText.fixed(ratio, decimals: 2)) x")
    }
  }

  private static func nanoseconds(_ seconds: Double) -> String {
    NumberText.fixed(seconds / Double(times) * 1e9, decimals: 0) + " ns"
  }

  // MARK: All cores

  /// The cost of a span on every core at once against the cost on one, and the same for the clock alone: what cores share
  /// that is not ours (a machine of virtual cores) shows there too.
  private static func onAllCores() {
    let cores = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 2)
    let rounds = 100
    func spans() {
      for _ in 0..<rounds * times {
        timer.start("span")
        timer.stop("span")
      }
    }
    func bare() { blackHole(floor_read_clock_twice(CLOCK_MONOTONIC, Int32(rounds * times))) }
    let (all, one, ratio) = PairedTiming.run(rounds: 5, { onThreads(cores, spans) }, against: { onThreads(1, spans) })
    let (_, _, clockRatio) = PairedTiming.run(rounds: 5, { onThreads(cores, bare) }, against: { onThreads(1, bare) })
    print(
      "  start and stop: one thread \(nanoseconds(one / Double(rounds))), \(cores) threads at once"
        + " \(nanoseconds(all / Double(rounds))) each; the bare clock reads alone"
        + " \(NumberText.fixed(clockRatio, decimals: 2)) x")
    printFigure("per span on all cores against one", ratio, limit: 2, unit: "x")
  }

  private static func onThreads(_ count: Int, _ work: () -> Void) {
    withoutActuallyEscaping(work) { work in
      let threads = (0..<count).map { _ in WorkerThread { work() } }
      for thread in threads { thread.join() }
    }
  }

  private static func onTask(_ work: @escaping () async -> Void) {
    // The main thread waits for the task, so the two never run at once.
    nonisolated(unsafe) let work = work
    nonisolated(unsafe) var done = sem_t()
    sem_init(&done, 0, 0)
    Task.detached {
      await work()
      sem_post(&done)
    }
    while sem_wait(&done) != 0 {}
    sem_destroy(&done)
  }

  // MARK: Memory, and the report

  private static func memory() {
    func spans(_ count: Int) {
      for index in 0..<count {
        timer.start("outer")
        timer.measure("inner") { blackHole(index) }
        timer.stop("outer")
      }
    }
    spans(1000)
    let before = footprint()
    spans(5_000_000)
    let growth = Double(footprint()) - Double(before)
    printFigure("growth over 10⁷ spans", max(growth, 0) / 1024, limit: 256, unit: "KiB", decimals: 0)
  }

  private static func footprint() -> UInt64 {
    guard var sampler = try? MemorySampler(processID: ProcessIdentity.currentProcessID) else { return 0 }
    return (try? sampler.sample().footprintBytes) ?? 0
  }

  private static func report() {
    let seconds = PairedTiming.time { blackHole(timer.report().roots.count) }
    print("  one report of \(timer.report().nodes.count) places: \(DurationText.format(seconds: seconds))")
  }
}

/// A thread that does one thing.
private final class WorkerThread {
  private var thread = pthread_t()

  init(_ work: @escaping () -> Void) {
    let box = Unmanaged.passRetained(Box(work))
    pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().work() }
        return nil
      }, box.toOpaque())
  }

  func join() { pthread_join(thread, nil) }

  private final class Box {
    let work: () -> Void
    init(_ work: @escaping () -> Void) { self.work = work }
  }
}
