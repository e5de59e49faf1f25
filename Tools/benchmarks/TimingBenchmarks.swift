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
    onTask { await onAllCoresInTasks() }
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

  /// The cost of a span on every core at once against the cost on one, in processor time, and in wall time as far as bare
  /// reads of the clock on as many threads do not take longer too: on a machine that others use as well, threads wait for
  /// a core. Waiting for a lock would show in the second figure, lines of memory that cores fight over in both.
  private static func onAllCores() {
    let cores = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 2)
    let rounds = 50
    func spans() {
      for _ in 0..<rounds * times {
        timer.start("span")
        timer.stop("span")
      }
    }
    func bare() { blackHole(floor_read_clock_twice(CLOCK_MONOTONIC, Int32(rounds * times))) }
    var each: (one: [Double], all: [Double]) = ([], [])
    var ratios: (processor: [Double], wall: [Double]) = ([], [])
    for _ in 0..<7 {
      let one = (ours: onThreads(1, spans), bare: onThreads(1, bare))
      let all = (ours: onThreads(cores, spans), bare: onThreads(cores, bare))
      each.one.append(one.ours.processor)
      each.all.append(all.ours.processor)
      ratios.processor.append(all.ours.processor / one.ours.processor)
      ratios.wall.append((all.ours.wall / one.ours.wall) / (all.bare.wall / one.bare.wall))
    }
    let perSpan = [each.one, each.all].map { nanoseconds(PairedTiming.median($0) / Double(rounds)) }
    print("  start and stop: one thread \(perSpan[0]), \(cores) threads at once \(perSpan[1]) each, in processor time")
    printFigure(
      "per span on all cores against one, processor time", PairedTiming.median(ratios.processor), limit: 2, unit: "x")
    printFigure("the same, wall time beside the bare clock's", PairedTiming.median(ratios.wall), limit: 2, unit: "x")
  }

  /// The same in as many tasks as there are cores, wall time only: a task is not bound to a thread.
  private static func onAllCoresInTasks() async {
    let cores = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 2)
    let count = 50 * times
    @Sendable func wall(_ tasks: Int, _ work: @escaping @Sendable () async -> Void) async -> Double {
      let start = PairedTiming.now()
      await withTaskGroup { group in
        for _ in 0..<tasks { group.addTask(operation: work) }
      }
      return PairedTiming.now() - start
    }
    @Sendable func bare() { blackHole(floor_read_clock_twice(CLOCK_MONOTONIC, Int32(count))) }
    let works: [(String, @Sendable () async -> Void)] = [
      (
        "start and stop",
        {
          for _ in 0..<count {
            timer.start("span")
            timer.stop("span")
          }
        }
      ), ("measure", { for index in 0..<count { timer.measure("span") { blackHole(index) } } }),
      ("measure of an asynchronous body", { for _ in 0..<count { await timer.measure("waits") { await nothing() } } }),
    ]
    for (name, work) in works {
      var ratios: [Double] = []
      for _ in 0..<5 {
        let one = (ours: await wall(1, work), bare: await wall(1, bare))
        let all = (ours: await wall(cores, work), bare: await wall(cores, bare))
        ratios.append((all.ours / one.ours) / (all.bare / one.bare))
      }
      printFigure("\(name) in \(cores) tasks at once, likewise", PairedTiming.median(ratios), limit: 2, unit: "x")
    }
  }

  /// Runs the work on several threads at once: the wall time of all, and the mean processor time of one.
  private static func onThreads(_ count: Int, _ work: () -> Void) -> (wall: Double, processor: Double) {
    withoutActuallyEscaping(work) { work in
      let start = PairedTiming.now()
      let threads = (0..<count).map { _ in WorkerThread(work) }
      for thread in threads { thread.join() }
      let wall = PairedTiming.now() - start
      return (wall, threads.reduce(0) { $0 + $1.processorSeconds } / Double(count))
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
  private let work: () -> Void
  /// What the work took; read when the thread has ended.
  private(set) var processorSeconds = 0.0

  init(_ work: @escaping () -> Void) {
    self.work = work
    pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<WorkerThread>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
  }

  func join() { pthread_join(thread, nil) }

  private func run() {
    work()
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    processorSeconds = Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
