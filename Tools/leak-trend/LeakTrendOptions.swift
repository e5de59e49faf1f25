// The options of leak-trend as the help shows them.

import MeasurementText
import ToolSupport
import TrendAnalysis

enum LeakTrendOptions {
  /// What says how a series is judged and where the verdict goes.
  static let judging = [
    OptionDeclaration(
      "metric", value: "NAME",
      help: "what is judged: footprint (default), rss, pss, or heap: what the program\nhas allocated and not freed"),
    OptionDeclaration(
      "warmup", value: "SHARE|TIME", help: "what is not judged at the beginning: 25% (default), or a time such as 5m"),
    OptionDeclaration("min-growth", value: "SIZE", help: "growth below this is none (1MiB, and 1 % of the whole)"),
    OptionDeclaration(
      "min-duration", value: "TIME",
      help:
        "judge runs as short as this (30m); the report then says how often\nruns that short call a healthy process growing"
    ),
    OptionDeclaration("json", value: "FILE", help: "write the report as JSON"),
    OptionDeclaration("svg", value: "FILE", help: "draw the run and its verdict"),
    OptionDeclaration("force", help: "replace files that are there"),
    OptionDeclaration("quiet", letter: "q", help: "the verdict in one line, and no progress"),
    OptionDeclaration(
      "fail-on", value: "VERDICTS", help: "which verdicts are failures: growing,inconclusive (default), growing, none"),
    OptionDeclaration("help", letter: "h", help: "this text"),
  ]

  /// All there is for a run.
  static let watching =
    [
      OptionDeclaration("pid", letter: "p", value: "N", help: "watch a process that runs already"),
      OptionDeclaration(
        "duration", letter: "d", value: "TIME", help: "how long to watch (30m); sooner if the target ends or on Ctrl-C"),
      OptionDeclaration(
        "interval", letter: "i", value: "TIME", help: "time between samples (1s; each moved by up to 10 %)"),
      OptionDeclaration("csv", value: "FILE", help: "write each sample to FILE as it is taken"),
      OptionDeclaration(
        "children", help: "count all that the target has started, each shared page divided by those\nthat share it"),
      OptionDeclaration(
        "detail-every", value: "TIME",
        help:
          "look at shares and given up pages this often; holds the target up, 20 ms at\nthe most (off; 60s with --children or --metric pss)"
      ),
      OptionDeclaration(
        "types", help: "count the live objects by type now and then, and name the types that grow"),
      OptionDeclaration("stop-child", help: "when the time is up, end the command: TERM, and KILL after 10 s"),
      OptionDeclaration("propagate-exit", help: "when the command fails, exit with its code"),
      OptionDeclaration("version", help: "the version"),
    ] + judging

  static var help: String {
    """
    leak-trend: is the memory of a process trending up?

      leak-trend [options] -- command [argument...]   launch a command and watch it
      leak-trend [options] --pid N                    watch a process that runs already
      leak-trend analyze [options] FILE...            judge recordings: leak-trend's own, prmon, psrecord,
                                                      mprof, or any table of time and bytes; - is standard input

    watching
    \(helpText(for: Array(watching.dropLast(judging.count))))

    judging
    \(helpText(for: judging))

    What is judged is the footprint: anonymous + shared + swapped memory, without file pages. Progress and the report go
    to standard error; standard input and output are the command's. A process that is still running at the end of the
    time is left alone.

    \(errorRates)

    exit codes
      0  stable or shrinking        64  wrong use
      1  growing                    66  no such process, command or file
      2  inconclusive               77  not permitted
      3  the command failed        130, 143  ended by Ctrl-C, by TERM; the report is written first

    """
  }

  /// What the Monte-Carlo study measured, so that the verdict can be weighed before it is asked for.
  private static var errorRates: String {
    var lines = [
      "how often healthy processes are called growing, by the length of the run (mean of 21 kinds; the worst)"
    ]
    for length in [60.0, 600, 1800, 7200] {
      guard let rate = FalseAlarmRate.measured.first(where: { $0.runLength == length }) else { continue }
      let name = DurationText.format(seconds: length)
      lines.append(
        "  " + name + String(repeating: " ", count: max(10 - name.count, 1))
          + percent(rate.mean) + String(repeating: " ", count: max(10 - percent(rate.mean).count, 1))
          + percent(rate.worst))
    }
    return lines.joined(separator: "\n")
  }

  private static func percent(_ share: Double) -> String { NumberText.fixed(share * 100, decimals: 2) + " %" }
}
