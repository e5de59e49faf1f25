// The command line of leak-trend: what can be said, and what was.

import MeasurementText
import ToolSupport
import TrendAnalysis

/// What a command line asks for.
enum LeakTrendCommand {
  case showHelp
  case showVersion
  case watch(WatchOptions)
}

/// A run as it was asked for.
struct WatchOptions {
  enum Target {
    case launch([String])
    case attach(Int32)
  }

  var target: Target
  /// Seconds.
  var interval = 1.0
  /// Seconds.
  var duration = TrendOptions.recommendedDuration
  /// Where the samples go.
  var csvPath: String?
  /// Whether files that are there may be replaced.
  var overwrites = false
  /// The constants of the verdict.
  var trend = TrendOptions()
}

extension LeakTrendCommand {
  private static let declarations = [
    OptionDeclaration("pid", letter: "p", value: "N", help: "watch a process that runs already"),
    OptionDeclaration(
      "interval", letter: "i", value: "TIME", help: "time between samples (1s; each moved by up to 10 %)"),
    OptionDeclaration(
      "duration", letter: "d", value: "TIME", help: "how long to watch (30m); sooner if the target ends or on Ctrl-C"),
    OptionDeclaration(
      "min-duration", value: "TIME",
      help:
        "judge runs as short as this (30m); the report then says how often\nruns that short call a healthy process growing"
    ),
    OptionDeclaration("csv", value: "FILE", help: "write each sample to FILE as it is taken"),
    OptionDeclaration("force", help: "replace files that are there"),
    OptionDeclaration("help", letter: "h", help: "this text"),
    OptionDeclaration("version", help: "the version"),
  ]

  static let help = """
    leak-trend: is the memory of a process trending up?

      leak-trend [options] -- command [argument...]   launch a command and watch it
      leak-trend [options] --pid N                    watch a process that runs already

    \(helpText(for: declarations))

    What is judged is the footprint: anonymous + shared + swapped memory, without file pages. Progress and the report go
    to standard error; standard input and output are the command's. A process that is still running at the end of the
    time is left alone.

    exit codes
      0  stable or shrinking        64  wrong use
      1  growing                    66  no such process or command
      2  inconclusive               77  not permitted
      3  the command failed        130, 143  ended by Ctrl-C, by TERM; the report is written first

    """

  init(_ arguments: some Sequence<String>) throws(ToolFailure) {
    do throws(UsageError) {
      self = try Self.parse(Array(arguments))
    } catch {
      throw ToolFailure(.usage, error.description)
    }
  }

  private static func parse(_ arguments: [String]) throws(UsageError) -> LeakTrendCommand {
    let parsed = try ParsedOptions(arguments, declarations: declarations, tool: "leak-trend")
    if parsed.has("help") { return .showHelp }
    if parsed.has("version") { return .showVersion }
    var options = WatchOptions(target: try target(parsed))
    if let text = parsed.value(of: "interval") { options.interval = try seconds(text, option: "interval") }
    if let text = parsed.value(of: "duration") { options.duration = try seconds(text, option: "duration") }
    if let text = parsed.value(of: "min-duration") {
      options.trend.minimumDuration = try seconds(text, option: "min-duration")
    }
    guard options.interval >= 0.001 else { throw UsageError("--interval must be at least 1ms") }
    guard options.interval <= options.duration else {
      throw UsageError(
        "--interval \(DurationText.format(seconds: options.interval)) is longer than --duration "
          + "\(DurationText.format(seconds: options.duration))")
    }
    options.csvPath = parsed.value(of: "csv")
    options.overwrites = parsed.has("force")
    return .watch(options)
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

  private static func seconds(_ text: String, option: String) throws(UsageError) -> Double {
    let duration: Duration
    do throws(QuantityParseError) {
      duration = try DurationText.parse(text)
    } catch {
      throw UsageError("--\(option): \(error)")
    }
    guard duration > .zero else { throw UsageError("--\(option) must be longer than 0") }
    let (whole, attoseconds) = duration.components
    return Double(whole) + Double(attoseconds) * 1e-18
  }
}
