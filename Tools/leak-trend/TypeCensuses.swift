// Censuses of the target's live objects in the course of a run, and what they say of its types.

import HeapInspection
import MeasurementText
import MemoryRecording
import Synchronization
import ToolSupport
import TrendAnalysis
import TrendReporting

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Takes a census at the end of each epoch, on a thread of its own: the walk over a large heap takes longer than the time
/// between two samples, and a gap in those would be held against the run.
///
/// Epochs are counted back from the planned end, through the warm-up to the beginning, so that a run that is cut short has
/// censuses too.
final class TypeCensuses {
  private let heap: HeapOfTarget
  private let interval: Double
  private var nextMoment: Double
  private var running: pthread_t?
  private let taken = Taken()

  /// What the threads leave behind.
  private final class Taken: Sendable {
    struct Contents {
      var censuses: [(elapsed: Double, census: HeapCensus)] = []
      var failure: HeapInspectionError?
      var isBusy = false
    }
    let contents = Mutex(Contents())
  }

  /// With a run of unknown length, one census each 40 s.
  init(_ heap: HeapOfTarget, duration: Double, _ options: TrendOptions) {
    self.heap = heap
    let judgedShare: Double
    switch options.warmUp {
    case .fraction(let share): judgedShare = 1 - min(max(share, 0), 0.95)
    case .seconds(let seconds): judgedShare = duration.isFinite ? max(1 - seconds / max(duration, 1), 0.05) : 1
    }
    interval = duration.isFinite ? max(duration * judgedShare / Double(max(options.epochs, 1)), 0.05) : 40
    // The first one that is a whole number of epochs before the end.
    nextMoment = duration.isFinite ? duration.truncatingRemainder(dividingBy: interval) : interval
  }

  /// Begins a census when it is time for one and the last one is done.
  func takeIfDue(at elapsed: Double) {
    guard elapsed >= nextMoment else { return }
    nextMoment += interval * max(1, ((elapsed - nextMoment) / interval).rounded(.down) + 1)
    let isBusy = taken.contents.withLock { contents in
      let wasBusy = contents.isBusy
      contents.isBusy = true
      return wasBusy
    }
    guard !isBusy else { return }
    waitForThread()
    let (heap, taken) = (heap, taken)
    running = startThread { Self.take(heap, elapsed, into: taken) }
    if running == nil { taken.contents.withLock { $0.isBusy = false } }
  }

  /// The last census, at the end of the run; waits for one that is under way.
  func finish(at elapsed: Double, targetLives: Bool) {
    waitForThread()
    let last = taken.contents.withLock { $0.censuses.last?.elapsed }
    guard targetLives, last.map({ elapsed - $0 > interval / 4 }) ?? true else { return }
    Self.take(heap, elapsed, into: taken)
  }

  private static func take(_ heap: HeapOfTarget, _ elapsed: Double, into taken: Taken) {
    do throws(HeapInspectionError) {
      let census = try heap.census()
      taken.contents.withLock { $0.censuses.append((elapsed, census)) }
    } catch {
      taken.contents.withLock { $0.failure = error }
    }
    taken.contents.withLock { $0.isBusy = false }
  }

  private func waitForThread() {
    if let running { pthread_join(running, nil) }
    running = nil
  }

  /// Judges the types and puts the result into the report.
  func add(to report: inout TrendReport, _ options: WatchOptions) {
    let contents = taken.contents.withLock { $0 }
    if let failure = contents.failure, contents.censuses.isEmpty {
      report.warnings.append("the types could not be counted: \(failure)")
      return
    }
    if options.includesChildren {
      report.warnings.append("types are those of process \(contents.censuses.first?.census.processID ?? 0) alone")
    }
    let censuses = contents.censuses
    guard let last = censuses.last?.census else { return }
    let trends = TrendAnalyzer(options: options.judge.trend)
      .assess(types: Self.series(censuses), liveHeap: Self.liveHeap(censuses), within: report.assessment)
    report.types = TypeFigures(
      trends: trends, censusCount: censuses.count, seconds: censuses.reduce(0) { $0 + $1.census.seconds },
      coverage: last.coverage, isApproximate: last.method == .scan, liveBytes: censuses.map(\.census.totals.liveBytes),
      moments: censuses.map(\.elapsed))
    if let held = trends.liveHeap, report.metric != .heap {
      let found = TrendAnalyzer(options: options.judge.trend).cause(of: report.assessment, liveHeap: held)
      report.keptByAllocatorBytes = found.keptByAllocatorBytes
      if report.assessment.verdict == .growing {
        report.cause = found.cause
        report.reason += found.explanation
      }
    }
    if let first = trends.growing.first(where: { !$0.type.hasPrefix("Swift.") && $0.kind != "closure" }) {
      report.next = NextCommand.look(at: first.type, report, options) ?? report.next
    }
  }

  private static func liveHeap(_ censuses: [(elapsed: Double, census: HeapCensus)]) -> TypeSeries {
    TypeSeries(
      type: "live heap", kind: "heap",
      points: censuses.map { elapsed, census in
        TypeSeries.Point(
          elapsed: elapsed, instances: Double(census.totals.liveBlocks), bytes: Double(census.totals.liveBytes))
      })
  }

  /// Each type over all censuses; a type that a census does not have had no instance then.
  private static func series(_ censuses: [(elapsed: Double, census: HeapCensus)]) -> [TypeSeries] {
    var places: [String: Int] = [:]
    var series: [TypeSeries] = []
    let none = censuses.map { TypeSeries.Point(elapsed: $0.elapsed, instances: 0, bytes: 0) }
    for (index, (_, census)) in censuses.enumerated() {
      for type in census.types {
        let place = places[type.type] ?? series.count
        if place == series.count {
          places[type.type] = place
          series.append(TypeSeries(type: type.type, kind: type.kind.rawValue, points: none))
        }
        series[place].points[index].instances = Double(type.instances)
        series[place].points[index].bytes = Double(type.bytes)
      }
    }
    return series
  }
}
