// The Monte-Carlo study behind the constants of TrendAnalysis, and the speed of an assessment.
import Glibc
import MeasurementText
import MemoryRecording
import TrendAnalysis

/// `benchmarks trend [--runs N] [--seed S]`: error rates of the epoch-floor rule, shape by shape. With `--short` the rates
/// over run lengths, from which come the constants of `FalseAlarmRate.measured`; with `--speed [--samples N]` only the speed.
enum TrendStudy {
  static func run(arguments: [String]) {
    let runs = value(of: "--runs", in: arguments) ?? 300
    let seed = UInt64(clamping: value(of: "--seed", in: arguments) ?? 1)
    let samples = value(of: "--samples", in: arguments) ?? 1_000_000
    if arguments.contains("--speed") { return TrendSpeed.run(count: samples) }
    if arguments.contains("--short") { return shortRuns(runs: runs, seed: seed) }
    fullRuns(runs: runs, seed: seed)
    TrendSpeed.run()
  }

  private static func value(of name: String, in arguments: [String]) -> Int? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    return Int(arguments[index + 1]).map { max($0, 1) }
  }

  // MARK: The two tables

  /// Error rates per shape at 10 minutes, half an hour and two hours.
  private static func fullRuns(runs: Int, seed: UInt64) {
    let lengths = [(600.0, 1.0), (1800, 1), (7200, 2)]
    let columns = lengths.map { duration, interval in
      Rates(TrendShape.all, duration: duration, interval: interval, runs: runs, seed: seed)
    }
    print("\(runs) runs a shape, seed \(seed); growing / stable / shrinking / inconclusive in %")
    let heads = lengths.map { duration, interval in
      pad("\(DurationText.format(seconds: duration)) at \(DurationText.format(seconds: interval))", 25)
    }
    print(pad("", 40) + heads.joined(separator: "  "))
    for (index, shape) in TrendShape.all.enumerated() {
      if index == TrendShape.healthy.count { print("--- leaks") }
      if index == TrendShape.tuned.count { print("--- not tuned on: healthy, then leaks") }
      if shape.kind == .unbounded { print("--- both growing and inconclusive are right") }
      let cells = columns.map { pad($0.counts[index].text, 25) }
      print(pad(shape.name + (shape.isKnownLimit ? " *" : ""), 40) + cells.joined(separator: "  "))
    }
    print("* in no mean: one run cannot tell it from a leak")
    for (column, length) in zip(columns, lengths) {
      print("\(DurationText.format(seconds: length.0)): \(column.summary)")
      print("  not tuned on: \(column.unseenSummary)")
      let first = Rates(
        TrendShape.all, duration: length.0, interval: length.1, runs: runs, seed: seed, earlier: true)
      print("  the rule at first: \(first.summary)")
      print("  not tuned on, the rule at first: \(first.unseenSummary)")
    }
  }

  /// One line a length, and the constants for `FalseAlarmRate.measured`.
  private static func shortRuns(runs: Int, seed: UInt64) {
    let lengths: [(Double, Double)] = [
      (45, 1), (60, 1), (120, 1), (300, 1), (600, 1), (900, 1), (1200, 1), (1800, 1), (3600, 2), (7200, 2),
    ]
    print("\(runs) runs a shape, seed \(seed)")
    var constants: [String] = []
    for (duration, interval) in lengths {
      let rates = Rates(TrendShape.tuned, duration: duration, interval: interval, runs: runs, seed: seed)
      print("\(pad(DurationText.format(seconds: duration), 8)) \(rates.summary)")
      fflush(nil)
      constants.append(rates.constant)
    }
    print(constants.joined(separator: "\n"))
  }
}

/// How often each verdict was given for each shape, at one run length.
struct Rates {
  struct Counts {
    var verdicts: [Verdict: Int] = [:]
    var runs: Int

    func share(_ verdict: Verdict) -> Double { Double(verdicts[verdict] ?? 0) / Double(runs) }

    var text: String {
      [Verdict.growing, .stable, .shrinking, .inconclusive]
        .map { NumberText.fixed(share($0) * 100, decimals: 1) }.joined(separator: " / ")
    }
  }

  let duration: Double
  let shapes: [TrendShape]
  private(set) var counts: [Counts] = []

  /// - Parameter earlier: Judges by the rule as it was first: the low percentile in quiet series too, no limit on two steps,
  ///   and cycles told by a quarter of the swing.
  init(
    _ shapes: [TrendShape], duration: Double, interval: Double, runs: Int, seed: UInt64, earlier: Bool = false
  ) {
    self.duration = duration
    self.shapes = shapes
    var options = TrendOptions()
    options.minimumDuration = min(options.minimumDuration, duration)
    if earlier {
      options.quietSpread = 0
      options.maximumTwoStepShare = 1
      options.cycleHysteresis = 0.25
    }
    let analyzer = TrendAnalyzer(options: options)
    for (index, shape) in shapes.enumerated() {
      var tally = Counts(runs: runs)
      for run in 0..<runs {
        // One stream a run: the seed is spread by the generator's own mixing.
        let stream = seed &* 1_000_003 &+ UInt64(index * 1_000_000 + run)
        let samples = shape.samples(duration: duration, interval: interval, seed: stream)
        tally.verdicts[analyzer.assess(samples, interval: interval).verdict, default: 0] += 1
      }
      counts.append(tally)
    }
  }

  private typealias Row = (shape: TrendShape, counts: Counts)

  private var rows: [Row] { zip(shapes, counts).map { ($0, $1) } }

  private func select(_ kind: TrendShape.Kind, of rows: some Sequence<Row>) -> [Row] {
    rows.filter { $0.shape.kind == kind && !$0.shape.isKnownLimit }
  }

  private var tuned: [Row] { Array(rows.prefix(TrendShape.tuned.count)) }

  /// The late leak begins after the shorter runs have ended.
  private var leaks: [Row] {
    select(.leak, of: tuned).filter { duration > 900 || !$0.shape.name.hasPrefix("late onset") }
  }

  var summary: String { summary(healthy: select(.healthy, of: tuned), leaks: leaks) }

  var unseenSummary: String {
    let unseen = rows.dropFirst(TrendShape.tuned.count)
    return summary(healthy: select(.healthy, of: unseen), leaks: select(.leak, of: unseen))
  }

  private func summary(healthy: [Row], leaks: [Row]) -> String {
    func percent(_ rows: [Row], _ verdict: Verdict) -> String {
      NumberText.fixed(mean(rows, verdict) * 100, decimals: 2) + " %"
    }
    let worst = worst(of: healthy).map { "\(percent([$0], .growing)) (\($0.shape.name))" } ?? "none"
    return "false growing \(percent(healthy, .growing)), worst \(worst);"
      + " leaks called growing \(percent(leaks, .growing)), stable \(percent(leaks, .stable))"
  }

  private func worst(of rows: [Row]) -> Row? {
    rows.max { $0.counts.share(.growing) < $1.counts.share(.growing) }
  }

  private func mean(_ rows: [Row], _ verdict: Verdict) -> Double {
    rows.isEmpty ? 0 : rows.reduce(0) { $0 + $1.counts.share(verdict) } / Double(rows.count)
  }

  /// A line for the table of constants.
  var constant: String {
    let healthy = select(.healthy, of: tuned)
    let worst = worst(of: healthy)
    let seconds = NumberText.fixed(duration, decimals: 0)
    let mean = NumberText.fixed(mean(healthy, .growing), decimals: 4)
    let highest = NumberText.fixed(worst?.counts.share(.growing) ?? 0, decimals: 4)
    return "    FalseAlarmRate(runLength: \(seconds), mean: \(mean), worst: \(highest), "
      + "worstShape: \"\(worst?.shape.name ?? "none")\"),"
  }
}

/// How long an assessment of a million samples takes, against the floors of passing over them and of sorting them.
enum TrendSpeed {
  static func run(count: Int = 1_000_000) {
    var random = SplitMix64(seed: 1)
    let samples = (0..<count).map {
      TrendSample(elapsed: Double($0), bytes: 1e8 + Double($0) + 1e6 * random.uniform())
    }
    let bytes = samples.map(\.bytes)
    let shuffled = samples.shuffled(using: &random)
    let pass = seconds { samples.reduce(0) { $0 + $1.bytes } }
    let sort = seconds { bytes.sorted()[count / 2] }
    let assess = seconds { TrendAnalyzer().assess(samples).growth?.bytes ?? 0 }
    let unsorted = seconds { TrendAnalyzer().assess(shuffled).growth?.bytes ?? 0 }
    func line(_ name: String, _ time: Double) {
      let ratio = NumberText.fixed(time / sort, decimals: 2)
      print("  \(pad(name, 28)) \(pad(DurationText.format(seconds: time), 10)) \(ratio) of a sort")
    }
    print("\(NumberText.grouped(count)) samples, best of 5")
    line("sum of the amounts", pass)
    line("sort of the amounts", sort)
    line("assess, in order", assess)
    line("assess, shuffled rows", unsorted)
  }

  private static func seconds(_ body: () -> Double) -> Double {
    var best = Double.infinity
    for _ in 0..<5 {
      var used = 0.0
      let time = ContinuousClock().measure { used = body() }
      // Looked at, so that the work is not optimised away.
      if used.isNaN { print("not a number") }
      let (whole, parts) = time.components
      best = min(best, Double(whole) + Double(parts) * 1e-18)
    }
    return best
  }
}

/// `text` with spaces behind it, at least `width` characters wide.
private func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}
