// One run from beginning to end: target, recording, report, exit code.

import MeasurementText
import MemoryRecording
import ProcessMemory
import ToolSupport
import TrendAnalysis
import TrendReporting

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A run of leak-trend.
enum Session {
  /// Carries out a run and returns what to exit with. All that is said goes to standard error.
  static func run(_ options: WatchOptions) throws(ToolFailure) -> Int32 {
    // Before anything that can be interrupted: from here on, signals wait until they are asked for.
    let signals = SystemClock.blockSignals()
    let reportFiles = try ReportFiles(options.judge)
    var csv = try options.csvPath.map { path throws(ToolFailure) in try createFile(path, options) }
    if options.recording.duration < options.judge.trend.minimumDuration { warnOfShortRun(options) }
    let opened: OpenedTarget
    do throws(ToolFailure) {
      opened = try open(options, signalMask: signals.previousMask)
    } catch {
      // Nothing was recorded: an empty file would only stand in the way of the next try.
      csv?.discard()
      throw error
    }
    var process = opened.process
    let target = opened.sampler
    let observed = Observation(process.processID)
    let view = LiveView(title: observed.name, options: options)
    var clock = try SystemClock(
      signals: signals.blocked, exitDescriptor: target.exitDescriptor,
      childProcessID: process.isChild ? process.processID : nil, onSuspend: view.close)
    var recording = options.recording
    recording.seed = UInt64(UInt32(bitPattern: process.processID))
    let heap = HeapOfTarget(process.processID)
    if recording.metric == .heap { recording.readLiveHeap = heap.liveBytes }
    let censuses = options.countsTypes ? TypeCensuses(heap, duration: recording.duration, options.judge.trend) : nil
    var recorder = MemoryRecorder(target: target, options: recording)
    let end = recorder.run(
      clock: &clock,
      onSample: { sample, recorder in
        csv?.append(sample)
        censuses?.takeIfDue(at: sample.elapsed)
        observed.lookAgain(sampleCount: recorder.sampleCount)
        view.show(sample, recorder)
      },
      onAttention: view.refresh)
    let elapsed = clock.elapsed
    view.close()
    // The terminal has shown ^C where the cursor was; the report begins on a line of its own.
    if end == .stopRequested(signal: SIGINT), Console.errorIsTerminal { Console.writeError("\n") }

    // While the target still lives.
    censuses?.finish(at: elapsed, targetLives: end != .targetEnded && end != .targetReplaced)
    let stopSignal = options.stopsChild ? process.stop() : nil
    if end == .targetEnded || end == .targetReplaced {
      awaitExitCode(&process, &clock)
    } else {
      process.lookForEnd()
    }
    let ending = RunEnding(end: end, process: process, elapsed: elapsed, stopSignal: stopSignal)
    var report = makeReport(recorder, observed, ending, options)
    censuses?.add(to: &report, options)
    if let failure = csv?.failure { report.warnings.append("\(failure); the file lacks samples") }
    if let path = options.csvPath { report.files.append(path) }
    let series = ChartSeries(points: recorder.history.points, assessment: report.assessment)
    reportFiles.write(&report, series)
    Console.writeError(options.judge.isQuiet ? report.line() : report.text(series, .forError))
    return exitCode(ending, report.verdict, options)
  }

  // MARK: - Before

  private static func open(_ options: WatchOptions, signalMask: sigset_t) throws(ToolFailure) -> OpenedTarget {
    switch options.target {
    case .attach(let processID):
      return OpenedTarget(
        sampler: try openTarget(processID, options), process: WatchedProcess(processID: processID, isChild: false))
    case .launch(let arguments):
      let held = try HeldProcess(arguments, signalMask: signalMask)
      let sampler = try openTarget(held.processID, options)
      return OpenedTarget(sampler: sampler, process: try held.release())
    }
  }

  private static func openTarget(_ processID: Int32, _ options: WatchOptions) throws(ToolFailure) -> TargetSampler {
    do throws(ProcessMemoryError) {
      var target = try TargetSampler(processID: processID, includesChildren: options.includesChildren)
      // A first reading now: a zombie or a kernel thread is refused here and not after half an hour.
      _ = try target.sample()
      return target
    } catch {
      throw ToolFailure(processMemoryExitCode(error), error.description)
    }
  }

  private static func createFile(_ path: String, _ options: WatchOptions) throws(ToolFailure) -> RecordingFile {
    let form = RecordingCSV(
      hasProcessCount: options.includesChildren, hasDetails: options.recording.detailInterval != nil,
      hasHeap: options.recording.metric == .heap)
    do throws(RecordingFileError) {
      return try RecordingFile(creatingAt: path, form: form, overwriting: options.judge.overwrites)
    } catch {
      if case .exists = error { throw ToolFailure(.usage, "--csv: \(error); --force replaces it") }
      throw ToolFailure(.usage, "--csv: \(error)")
    }
  }

  private static func warnOfShortRun(_ options: WatchOptions) {
    let duration = DurationText.format(seconds: options.recording.duration)
    let needed = DurationText.format(seconds: options.judge.trend.minimumDuration)
    Console.writeError(
      "leak-trend: a run of \(duration) is shorter than the \(needed) that a verdict needs; "
        + "--min-duration accepts shorter runs\n")
  }

  // MARK: - After

  /// Waits for the exit code of a command that has ended.
  ///
  /// A process loses its memory, and is seen to have ended by that, before it has an exit code: the kernel takes its
  /// memory apart in between, which for much memory takes seconds. Ctrl-C ends the wait, and so does a minute.
  private static func awaitExitCode(_ process: inout WatchedProcess, _ clock: inout SystemClock) {
    guard process.isChild else { return }
    let limit = clock.elapsed + 60
    process.lookForEnd()
    while !process.hasEnded {
      switch clock.wait(until: limit) {
      case .attention: continue
      case .targetEnded, .due, .stopRequested:
        process.lookForEnd()
        return
      }
    }
  }

  private static func makeReport(
    _ recorder: borrowing MemoryRecorder, _ observed: Observation, _ ending: RunEnding, _ options: WatchOptions
  ) -> TrendReport {
    let samples = recorder.history.points.map { TrendSample(elapsed: $0.elapsed, bytes: $0.bytes) }
    let none: [TrendSample]? = nil
    let combined = TrendAnalyzer(options: options.judge.trend).assess(
      footprint: samples, liveHeap: none, interval: options.recording.interval * Double(recorder.history.stride))
    var report = TrendReport(
      toolVersion: toolVersion, metric: options.recording.metric, combined: combined,
      subject: ending.subject(observed),
      samples: SeriesSummary(
        recorder.history.points, count: recorder.history.sampleCount, keptOneIn: recorder.history.stride),
      run: RunFigures(
        firstUsage: recorder.first?.usage, lastUsage: recorder.last?.usage, lastDetails: recorder.last?.details,
        processCount: recorder.last?.reading?.processCount ?? 0, peakResidentBytes: recorder.peakResidentBytes,
        sampleCount: recorder.sampleCount, failedSampleCount: recorder.failedCount,
        stoppedSampleCount: recorder.stoppedCount, allocators: observed.allocators,
        cost: ownCost(recorder, ending.elapsed)),
      host: observed.host, warnings: warnings(recorder, observed, options))
    report.next = NextCommand.suggestion(for: report, options, processRuns: ending.processRuns)
    return report
  }

  private static func warnings(
    _ recorder: borrowing MemoryRecorder, _ observed: Observation, _ options: WatchOptions
  ) -> [String] {
    var warnings: [String] = []
    if recorder.failedCount > 0, let last = recorder.lastFailure {
      warnings.append("\(recorder.failedCount) samples could not be read, the last because \(last)")
    }
    if recorder.stoppedCount > 0 {
      warnings.append(
        "the target was stopped (SIGSTOP or a debugger) at \(recorder.stoppedCount) of \(recorder.sampleCount) samples,"
          + " which are not judged")
    }
    if let failure = recorder.detailsFailure {
      let consequence =
        options.includesChildren ? "; memory that processes share may count more than once" : ""
      warnings.append("no look at the details: \(failure)\(consequence)")
    }
    if observed.host.transparentHugePages == "always" {
      warnings.append(
        "this machine makes huge pages of any memory (transparent_hugepage=always), which can look like growth")
    }
    return warnings
  }

  private static func ownCost(_ recorder: borrowing MemoryRecorder, _ elapsed: Double) -> ObserverCost {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    let (whole, attoseconds) = recorder.detailCost.duration.components
    return ObserverCost(
      processorSeconds: seconds + microseconds * 1e-6, elapsedSeconds: elapsed,
      peakResidentBytes: (try? MemoryUsage.current())?.peakResidentBytes, detailCount: recorder.detailCost.count,
      detailSeconds: Double(whole) + Double(attoseconds) * 1e-18)
  }

  private static func exitCode(_ ending: RunEnding, _ verdict: Verdict, _ options: WatchOptions) -> Int32 {
    if case .stopRequested(let signal) = ending.end { return ExitCode.endedBySignal(signal) }
    if ending.diedByItself {
      return options.propagatesExit ? ending.process.shellExitCode : ExitCode.targetDied.rawValue
    }
    return options.judge.exitCode(for: verdict)
  }
}

/// A target that is ready to be recorded.
private struct OpenedTarget: ~Copyable {
  let sampler: TargetSampler
  let process: WatchedProcess
}

/// What is known of the target while it runs, for when it has ended.
final class Observation {
  let processID: Int32
  let host: HostMemoryFacts
  /// The allocators it has loaded.
  private(set) var allocators: [String] = []
  private let start: ProcessIdentity?

  init(_ processID: Int32) {
    self.processID = processID
    start = try? ProcessIdentity.of(processID)
    host = HostMemoryFacts.read(for: processID)
  }

  /// Looks at what a program has loaded: nothing yet at its first instruction, so a few times while it runs.
  func lookAgain(sampleCount: Int) {
    guard [2, 8, 60].contains(sampleCount), let found = try? AllocatorLibraries.loaded(by: processID) else { return }
    if !found.isEmpty { allocators = found }
  }

  /// What the process is now, where it still runs: a launched script may have become another program since. What it was
  /// at the start otherwise.
  var current: ProcessIdentity? {
    guard let now = try? ProcessIdentity.of(processID), now.startTime == start?.startTime, !now.commandLine.isEmpty
    else { return start }
    return now
  }

  /// The command as it was typed, but for the folders of the program.
  var name: String { Self.name(of: start) }

  static func name(of identity: ProcessIdentity?) -> String {
    guard let identity else { return "the target" }
    guard let program = identity.commandLine.first else { return identity.name }
    let name = program.split(separator: "/").last.map(String.init) ?? program
    return LineText.bounded(([name] + identity.commandLine.dropFirst()).joined(separator: " "), limit: 200)
  }
}

/// How a run ended, and what became of the target.
struct RunEnding {
  let end: RecordingEnd
  let process: WatchedProcess
  let elapsed: Double
  /// The signal that we ended the target with.
  let stopSignal: Int32?

  /// Whether the target runs on after us.
  var processRuns: Bool { stopSignal == nil && !process.hasEnded && end != .targetEnded && end != .targetReplaced }

  /// Whether a command we launched failed, other than by our own hand.
  var diedByItself: Bool { stopSignal == nil && process.diedAbnormally }

  func subject(_ observed: Observation) -> TrendSubject {
    let identity = observed.current
    return TrendSubject(
      name: Observation.name(of: identity), identity: identity, ending: clause, exitCode: process.exitCode,
      endingSignal: process.endingSignal)
  }

  private var clause: String {
    let time = DurationText.format(seconds: elapsed)
    if let stopSignal { return "was ended with signal \(stopSignal) after \(time), as asked" }
    return switch end {
    case .durationReached: "is left running"
    case .targetEnded: process.ending + " after " + time
    case .targetReplaced: "ended after \(time); its pid now names another process"
    case .stopRequested(SIGINT): "watched until Ctrl-C, for \(time)" + (process.hasEnded ? "; " + process.ending : "")
    case .stopRequested(let signal): "watched until signal \(signal), for \(time)"
    }
  }
}
