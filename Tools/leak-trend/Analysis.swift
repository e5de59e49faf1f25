// leak-trend analyze: judges recordings that are there already.

import MeasurementText
import MemoryRecording
import ToolSupport
import TrendAnalysis
import TrendReporting

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

enum Analysis {
  /// Judges each file and returns the worst exit code. A file that cannot be read is said to be so, and the others are
  /// judged all the same.
  static func run(_ options: AnalyzeOptions) throws(ToolFailure) -> Int32 {
    let files = try ReportFiles(options.judge)
    var worst = ExitCode.success.rawValue
    for path in options.paths {
      do throws(SeriesFileError) {
        let (report, series) = try judge(path, options.judge)
        worst = max(worst, show(report, series, files, options))
      } catch {
        guard options.paths.count > 1 else { throw ToolFailure(exitCode(error), "\(error)") }
        Console.writeError("leak-trend: \(error)\n")
        worst = max(worst, exitCode(error).rawValue)
      }
    }
    return worst
  }

  private static func judge(
    _ path: String, _ options: JudgeOptions
  ) throws(SeriesFileError) -> (TrendReport, ChartSeries) {
    let recorded = try SeriesFile.read(path, metric: options.metric)
    // A recording that has the live heap beside the footprint is judged by both.
    let hasHeap = recorded.format == .leakTrend && options.metric == nil && path != "-"
    let heap = hasHeap ? try? SeriesFile.read(path, metric: .heap) : nil
    let combined = TrendAnalyzer(options: options.trend).assess(
      footprint: recorded.samples, liveHeap: heap?.samples, discontinuities: recorded.discontinuities)
    let history = history(of: recorded.samples)
    let report = TrendReport(
      toolVersion: toolVersion, metric: recorded.metric, combined: combined,
      subject: TrendSubject(name: path, ending: "is a \(recorded.format.rawValue): took \(recorded.interpretation)"),
      samples: SeriesSummary(history.points, count: recorded.samples.count), warnings: warnings(recorded))
    return (report, ChartSeries(points: history.points, assessment: combined.footprint))
  }

  /// The series as a chart needs it: in order, and no more points than a picture could show.
  private static func history(of samples: [TrendSample]) -> SampleHistory {
    var history = SampleHistory(capacity: min(max(samples.count, 16), SampleHistory.defaultCapacity))
    for sample in samples.sorted(by: { $0.elapsed < $1.elapsed }) {
      history.append(elapsed: sample.elapsed, bytes: sample.bytes)
    }
    return history
  }

  private static func warnings(_ recorded: RecordedSeries) -> [String] {
    var warnings: [String] = []
    if recorded.malformedRowCount > 0 {
      let rows = recorded.malformedRowCount == 1 ? "1 row was" : "\(recorded.malformedRowCount) rows were"
      warnings.append("\(rows) not understood and left out, from line \(recorded.firstMalformedLine ?? 0) on")
    }
    if recorded.emptyRowCount > 0 {
      let rows = recorded.emptyRowCount == 1 ? "1 row has" : "\(recorded.emptyRowCount) rows have"
      warnings.append("\(rows) no figure: nothing could be read then")
    }
    return warnings
  }

  private static func show(
    _ report: TrendReport, _ series: ChartSeries, _ files: ReportFiles, _ options: AnalyzeOptions
  ) -> Int32 {
    var report = report
    files.write(&report, series)
    // The verdict is what was asked for, so it goes to standard output: there is no command whose output it could disturb.
    if options.paths.count > 1 || options.judge.isQuiet {
      Console.writeOutput(report.line())
    } else {
      Console.writeOutput(report.text(series, TextOptions.forOutput))
    }
    return options.judge.exitCode(for: report.verdict)
  }

  private static func exitCode(_ error: SeriesFileError) -> ExitCode {
    switch error {
    case .unreadable(_, let reason) where reason == String(cString: strerror(EACCES)): .notPermitted
    case .unreadable, .unknownFormat, .noRows: .noInput
    case .missingMetric: .usage
    }
  }
}

extension JudgeOptions {
  /// What a verdict makes of the exit code.
  func exitCode(for verdict: Verdict) -> Int32 {
    guard failing.contains(verdict) else { return ExitCode.success.rawValue }
    return verdict == .growing ? ExitCode.failure.rawValue : ExitCode.inconclusive.rawValue
  }
}

extension TextOptions {
  /// For standard output as it is.
  static var forOutput: TextOptions {
    let isTerminal = Console.outputIsTerminal
    return TextOptions(
      width: isTerminal ? Console.outputColumns : 100, chartHeight: 6,
      hasColor: isTerminal && Console.mayColor)
  }

  /// For standard error as it is.
  static var forError: TextOptions {
    let isTerminal = Console.errorIsTerminal
    return TextOptions(
      width: isTerminal ? Console.errorColumns : 100, chartHeight: 6,
      hasColor: isTerminal && Console.mayColor)
  }
}
