// One run from beginning to end: target, recording, report, exit code.

import CLinux
import Glibc
import MeasurementText
import MemoryRecording
import ProcessMemory
import ToolSupport
import TrendAnalysis
import TrendReporting

/// A run of leak-trend.
enum Session {
  /// Carries out a run and returns what to exit with. All that is said goes to standard error.
  static func run(_ options: WatchOptions) throws(ToolFailure) -> Int32 {
    // Before anything that can be interrupted: from here on, signals wait until they are asked for.
    let (signals, previousMask) = SystemClock.blockSignals()
    var file = try options.csvPath.map { path throws(ToolFailure) in try createFile(path, options) }
    if options.duration < options.trend.minimumDuration { warnOfShortRun(options) }
    var sampler: MemorySampler
    var process: WatchedProcess
    switch options.target {
    case .attach(let processID):
      sampler = try openSampler(processID)
      process = WatchedProcess(processID: processID, isChild: false)
    case .launch(let arguments):
      let held = try HeldProcess(arguments, signalMask: previousMask)
      sampler = try openSampler(held.processID)
      process = try held.release()
    }
    let identity = try? ProcessIdentity.of(process.processID)
    let host = HostMemoryFacts.read(for: process.processID)
    var clock = try SystemClock(
      signals: signals, exitDescriptor: sampler.exitDescriptor,
      childProcessID: process.isChild ? process.processID : nil)
    var recorder = MemoryRecorder(
      sampler: sampler, interval: options.interval, duration: options.duration, seed: UInt64(process.processID))
    var progress = ProgressLine(duration: options.duration)

    let end = recorder.run(
      clock: &clock,
      onSample: { sample, recorder in
        file?.append(sample)
        progress.draw(elapsed: sample.elapsed, first: recorder.first, last: recorder.last)
      },
      onAttention: { recorder in
        progress.redraw(elapsed: recorder.last?.elapsed ?? 0, first: recorder.first, last: recorder.last)
      })

    progress.clear()
    process.lookForEnd()
    let target = currentIdentity(of: process.processID, since: identity)
    let report = TrendReport(
      assessment: assess(recorder, end, options), target: target, ending: describe(end, process, clock.elapsed),
      firstUsage: recorder.first?.usage, lastUsage: recorder.last?.usage,
      peakResidentBytes: recorder.peakResidentBytes, sampleCount: recorder.sampleCount,
      failedSampleCount: recorder.failedCount, historyStride: recorder.footprint.stride,
      cost: ownCost(clock.elapsed), host: host, files: options.csvPath.map { [$0] } ?? [],
      warnings: warnings(recorder, file?.failure))
    Console.writeError(report.text())
    return exitCode(end, report.assessment.verdict, process)
  }

  // MARK: - The target

  /// What the process is now, where it still runs: a launched script may have become another program since. What it was
  /// at the start otherwise.
  private static func currentIdentity(of processID: Int32, since start: ProcessIdentity?) -> ProcessIdentity? {
    guard let now = try? ProcessIdentity.of(processID), now.startTime == start?.startTime, !now.commandLine.isEmpty
    else { return start }
    return now
  }

  private static func openSampler(_ processID: Int32) throws(ToolFailure) -> MemorySampler {
    do throws(ProcessMemoryError) {
      var sampler = try MemorySampler(processID: processID)
      // A first reading now: a zombie or a kernel thread is refused here and not after half an hour.
      _ = try sampler.sample()
      return sampler
    } catch {
      throw ToolFailure(processMemoryExitCode(error), error.description)
    }
  }

  private static func createFile(_ path: String, _ options: WatchOptions) throws(ToolFailure) -> RecordingFile {
    do throws(RecordingFileError) {
      return try RecordingFile(creatingAt: path, overwriting: options.overwrites)
    } catch {
      if case .exists = error { throw ToolFailure(.usage, "--csv: \(error); --force replaces it") }
      throw ToolFailure(.usage, "--csv: \(error)")
    }
  }

  private static func warnOfShortRun(_ options: WatchOptions) {
    let duration = DurationText.format(seconds: options.duration)
    Console.writeError(
      "leak-trend: a run of \(duration) is shorter than the \(DurationText.format(seconds: options.trend.minimumDuration)) "
        + "that a verdict needs; --min-duration accepts shorter runs\n")
  }

  // MARK: - What it comes to

  private static func assess(
    _ recorder: borrowing MemoryRecorder, _ end: RecordingEnd, _ options: WatchOptions
  ) -> TrendAssessment {
    let samples = recorder.footprint.points.map { TrendSample(elapsed: $0.elapsed, bytes: $0.bytes) }
    let interval = options.interval * Double(recorder.footprint.stride)
    return TrendAnalyzer(options: options.trend).assess(samples, interval: interval)
  }

  private static func describe(
    _ end: RecordingEnd, _ process: WatchedProcess, _ elapsed: Double
  ) -> String {
    let after = " after " + DurationText.format(seconds: elapsed)
    return switch end {
    case .durationReached: "is left running"
    case .targetEnded: process.ending + after
    case .targetReplaced: "ended" + after + "; its pid now names another process"
    case .stopRequested(SIGINT): "watched until Ctrl-C, for " + DurationText.format(seconds: elapsed)
    case .stopRequested(let signal): "watched until signal \(signal), for " + DurationText.format(seconds: elapsed)
    }
  }

  private static func warnings(_ recorder: borrowing MemoryRecorder, _ failure: RecordingFileError?) -> [String] {
    var warnings: [String] = []
    if let failure { warnings.append("\(failure); the file lacks samples") }
    if recorder.failedCount > 0, let last = recorder.lastFailure {
      warnings.append("\(recorder.failedCount) samples could not be read, the last because \(last)")
    }
    return warnings
  }

  private static func ownCost(_ elapsed: Double) -> ObserverCost {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    let microseconds = Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    return ObserverCost(
      processorSeconds: seconds + microseconds * 1e-6, elapsedSeconds: elapsed,
      peakResidentBytes: (try? MemoryUsage.current())?.peakResidentBytes)
  }

  private static func exitCode(_ end: RecordingEnd, _ verdict: Verdict, _ process: WatchedProcess) -> Int32 {
    if case .stopRequested(let signal) = end { return ExitCode.endedBySignal(signal) }
    if process.diedAbnormally { return ExitCode.targetDied.rawValue }
    return switch verdict {
    case .stable, .shrinking: ExitCode.success.rawValue
    case .growing: ExitCode.failure.rawValue
    case .inconclusive: ExitCode.inconclusive.rawValue
    }
  }
}
