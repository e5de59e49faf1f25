// The command line of leak-trend: what was said, as values.

import MeasurementText
import MemoryRecording
import ToolSupport
import TrendAnalysis

/// What a command line asks for.
enum LeakTrendCommand {
  case showHelp
  case showVersion
  case watch(WatchOptions)
  case analyze(AnalyzeOptions)

  init(_ arguments: some Sequence<String>) throws(ToolFailure) {
    do throws(UsageError) {
      self = try Self.parse(Array(arguments))
    } catch {
      throw ToolFailure(.usage, error.description)
    }
  }
}

/// What a verdict is made of and where it goes: the same for a run and for a file.
struct JudgeOptions {
  /// The figure that is judged; `nil` for the one that suits best.
  var metric: MemoryMetric?
  /// The constants of the verdict.
  var trend = TrendOptions()
  /// Where the report goes as JSON.
  var jsonPath: String?
  /// Where the picture goes.
  var svgPath: String?
  /// Whether files that are there may be replaced.
  var overwrites = false
  /// Whether only the headline is written.
  var isQuiet = false
  /// The verdicts that make the exit code other than 0.
  var failing: Set<Verdict> = [.growing, .inconclusive]
}

/// A run as it was asked for.
struct WatchOptions {
  enum Target {
    case launch([String])
    case attach(Int32)
  }

  var target: Target
  var recording = RecordingOptions()
  var judge = JudgeOptions()
  /// Where the samples go.
  var csvPath: String?
  /// Whether what the target has started counts too.
  var includesChildren = false
  /// Whether live objects are counted by type.
  var countsTypes = false
  /// Whether a launched command is ended when the time is up.
  var stopsChild = false
  /// Whether a launched command's own failure becomes the exit code.
  var propagatesExit = false
  /// The options as they were typed, for the next command to type.
  var typedOptions: [String] = []
}

/// Files to be judged.
struct AnalyzeOptions {
  var paths: [String]
  var judge = JudgeOptions()
}

extension LeakTrendCommand {
  private static func parse(_ arguments: [String]) throws(UsageError) -> LeakTrendCommand {
    if arguments.first == "analyze" { return try parseAnalyze(Array(arguments.dropFirst())) }
    let parsed = try ParsedOptions(arguments, declarations: LeakTrendOptions.watching, tool: "leak-trend")
    if parsed.has("help") { return .showHelp }
    if parsed.has("version") { return .showVersion }
    var options = WatchOptions(target: try target(parsed))
    options.judge = try judgeOptions(parsed)
    options.recording = try recordingOptions(parsed, options.judge)
    options.csvPath = parsed.value(of: "csv")
    options.includesChildren = parsed.has("children")
    options.countsTypes = parsed.has("types")
    if options.includesChildren, options.judge.metric == .heap {
      throw UsageError("--metric heap looks at one process; leave out --children")
    }
    options.stopsChild = parsed.has("stop-child")
    options.propagatesExit = parsed.has("propagate-exit")
    options.typedOptions = typedOptions(parsed)
    if case .attach = options.target, options.stopsChild || options.propagatesExit {
      throw UsageError("--stop-child and --propagate-exit are for a command that leak-trend launches, not for --pid")
    }
    return .watch(options)
  }

  private static func parseAnalyze(_ arguments: [String]) throws(UsageError) -> LeakTrendCommand {
    let parsed = try ParsedOptions(
      arguments, declarations: LeakTrendOptions.judging, tool: "leak-trend analyze", mayMix: true)
    if parsed.has("help") { return .showHelp }
    guard !parsed.operands.isEmpty else {
      throw UsageError("leak-trend analyze needs a file: leak-trend analyze run.csv, or - for standard input")
    }
    let options = AnalyzeOptions(paths: parsed.operands, judge: try judgeOptions(parsed))
    if options.paths.count > 1, options.judge.jsonPath != nil || options.judge.svgPath != nil {
      throw UsageError("--json and --svg take one file at a time; leave them out, or judge one file")
    }
    return .analyze(options)
  }

  private static func target(_ parsed: ParsedOptions) throws(UsageError) -> WatchOptions.Target {
    guard let text = parsed.value(of: "pid") else {
      guard let command = parsed.operands.first else {
        throw UsageError(
          "nothing to watch: leak-trend -- COMMAND launches one, leak-trend --pid N watches a process that runs")
      }
      guard !command.isEmpty else { throw UsageError("the command is an empty text") }
      return .launch(parsed.operands)
    }
    guard parsed.operands.isEmpty else {
      throw UsageError("--pid and a command exclude each other; leave out one of them")
    }
    guard let processID = Int32(text), processID > 0 else {
      throw UsageError("--pid '\(text)' is no process id; pidof NAME or pgrep NAME finds it")
    }
    return .attach(processID)
  }

  private static func recordingOptions(
    _ parsed: ParsedOptions, _ judge: JudgeOptions
  ) throws(UsageError) -> RecordingOptions {
    var options = RecordingOptions()
    options.duration = TrendOptions.recommendedDuration
    if let text = parsed.value(of: "interval") { options.interval = try seconds(text, option: "interval") }
    if let text = parsed.value(of: "duration") { options.duration = try seconds(text, option: "duration") }
    guard options.interval >= 0.001 else { throw UsageError("--interval must be at least 1ms") }
    guard options.interval <= options.duration else {
      throw UsageError(
        "--interval \(DurationText.format(seconds: options.interval)) is longer than --duration "
          + "\(DurationText.format(seconds: options.duration))")
    }
    options.metric = judge.metric ?? .footprint
    if let text = parsed.value(of: "detail-every") {
      options.detailInterval = try seconds(text, option: "detail-every")
    } else if parsed.has("children") || options.metric == .pss {
      // Both rest on shares, which only the details tell.
      options.detailInterval = 60
    }
    return options
  }

  private static func judgeOptions(_ parsed: ParsedOptions) throws(UsageError) -> JudgeOptions {
    var options = JudgeOptions()
    if let text = parsed.value(of: "metric") {
      guard let metric = MemoryMetric(rawValue: text) else {
        throw UsageError(
          "--metric '\(text)' is none of \(MemoryMetric.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      options.metric = metric
    }
    if let text = parsed.value(of: "min-duration") {
      options.trend.minimumDuration = try seconds(text, option: "min-duration")
    }
    if let text = parsed.value(of: "warmup") { options.trend.warmUp = try warmUp(text) }
    if let text = parsed.value(of: "min-growth") {
      do throws(QuantityParseError) {
        options.trend.minimumGrowthBytes = Double(try ByteText.parse(text))
      } catch {
        throw UsageError("--min-growth: \(error)")
      }
    }
    if let text = parsed.value(of: "fail-on") { options.failing = try verdicts(text) }
    options.jsonPath = parsed.value(of: "json")
    options.svgPath = parsed.value(of: "svg")
    options.overwrites = parsed.has("force")
    options.isQuiet = parsed.has("quiet")
    return options
  }

  private static func warmUp(_ text: String) throws(UsageError) -> TrendOptions.WarmUp {
    guard text.hasSuffix("%") else { return .seconds(try seconds(text, option: "warmup", allowsZero: true)) }
    guard let percent = Double(text.dropLast()), percent.isFinite, 0...90 ~= percent else {
      throw UsageError("--warmup '\(text)' is no share from 0% to 90%; write it like 25% or 5m")
    }
    return .fraction(percent / 100)
  }

  private static func verdicts(_ text: String) throws(UsageError) -> Set<Verdict> {
    if text == "none" { return [] }
    var verdicts: Set<Verdict> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let verdict = Verdict(rawValue: String(word)), verdict == .growing || verdict == .inconclusive else {
        throw UsageError("--fail-on '\(word)' is not growing, inconclusive or none; write it like growing,inconclusive")
      }
      verdicts.insert(verdict)
    }
    return verdicts
  }

  private static func seconds(
    _ text: String, option: String, allowsZero: Bool = false
  ) throws(UsageError) -> Double {
    let duration: Duration
    do throws(QuantityParseError) {
      duration = try DurationText.parse(text)
    } catch {
      throw UsageError("--\(option): \(error)")
    }
    guard duration > .zero || allowsZero else { throw UsageError("--\(option) must be longer than 0") }
    let (whole, attoseconds) = duration.components
    return Double(whole) + Double(attoseconds) * 1e-18
  }

  /// The options to repeat in a next command: all but those that the next command sets itself, and files.
  private static func typedOptions(_ parsed: ParsedOptions) -> [String] {
    let leftOut = ["pid", "duration", "csv", "json", "svg", "force"]
    return parsed.given.filter { !leftOut.contains($0.name) }.flatMap { option in
      option.value.isEmpty ? ["--" + option.name] : ["--" + option.name, option.value]
    }
  }
}
