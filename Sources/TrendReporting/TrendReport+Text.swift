import MeasurementText
import MemoryRecording
import ProcessMemory
import TrendAnalysis

/// How a report is written.
public struct TextOptions: Sendable {
  /// Columns there are.
  public var width: Int
  /// Lines of the chart; 0 for none.
  public var chartHeight: Int
  /// Whether the verdict is coloured, for a terminal.
  public var hasColor: Bool

  /// How a report is written: by default for 100 columns, with a small chart and no colour.
  public init(width: Int = 100, chartHeight: Int = 6, hasColor: Bool = false) {
    self.width = width
    self.chartHeight = chartHeight
    self.hasColor = hasColor
  }
}

extension TrendReport {
  /// The report as a person reads it, in ten seconds: the verdict and its reason first, then the figures, then the
  /// chart, then what to do next. Several lines, with a line feed after each.
  public func text(_ series: ChartSeries, _ options: TextOptions = TextOptions()) -> String {
    var lines = ["leak-trend: " + (options.hasColor ? coloredHeadline : headline)]
    lines += reasonLines.map { "  " + $0 }
    lines.append("")
    lines += wrapped(figures, width: options.width - 2).map { "  " + $0 }
    if let types { lines += TypeLines(figures: types).lines.map { "  " + $0 } }
    if options.chartHeight > 0 {
      let chart = BrailleChart(width: min(options.width, 120) - 4, height: options.chartHeight).lines(series)
      if !chart.isEmpty { lines += [""] + chart.map { "  " + $0 } }
    }
    lines.append("")
    lines.append("  target  " + subjectLine)
    lines += warnings.map { "  warning " + $0 }
    if let next { lines.append("  next    " + next) }
    if !files.isEmpty { lines.append("  files   " + files.joined(separator: "  ")) }
    if let run { lines.append("  cost    " + costText(run)) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report in one line, for one file of several.
  public func line() -> String {
    let detail = assessment.decidingClause.isAboutEvidence ? "" : "; " + reason
    return "\(LineText.bounded(subject.name, limit: 72)): \(headline)\(detail)\n"
  }

  /// The verdict with its figures: `"GROWING   +41.2 MiB in the 22 min 30 s judged  (+110.0 MiB/h, …)"`.
  var headline: String {
    guard let growth = assessment.growth, !assessment.decidingClause.isAboutEvidence else {
      return verdictWord + "   " + inconclusiveText
    }
    let (rate, interval) = ByteText.formatRate(
      bytesPerHour: growth.bytesPerHour, between: growth.bytesPerHourLow, and: growth.bytesPerHourHigh)
    let name = metric == nil || metric == .footprint ? "" : " of \(metric?.rawValue ?? "")"
    return verdictWord + "   " + ByteText.format(growth.bytes, sign: .always) + name + " in the "
      + DurationText.format(seconds: assessment.window.judgedDuration) + " judged  (" + rate + ", 95 % interval "
      + interval + ")"
  }

  private var verdictWord: String { verdict.rawValue.uppercased() + (assessment.isSlowing ? " (slowing)" : "") }

  private var coloredHeadline: String {
    let color =
      switch verdict {
      case .growing: "31"
      case .stable, .shrinking: "32"
      case .inconclusive: "33"
      }
    return "\u{1B}[1;\(color)m\(verdictWord)\u{1B}[0m" + headline.dropFirst(verdictWord.count)
  }

  /// Without evidence that may be judged, the reason is the headline, and where the samples point is only a leaning.
  private var inconclusiveText: String {
    guard let growth = assessment.growth, assessment.leaning != .inconclusive else { return reason }
    return reason + " (leaning: \(assessment.leaning.rawValue), " + ByteText.format(growth.bytes, sign: .always) + ")"
  }

  /// The reason, and what has to be known to weigh it.
  var reasonLines: [String] {
    var lines: [String] = []
    if assessment.growth != nil, !assessment.decidingClause.isAboutEvidence { lines.append(reason) }
    let isShort = assessment.window.duration < TrendOptions.recommendedDuration * 0.99
    guard isShort, assessment.growth != nil else { return lines }
    if let rate = assessment.falseAlarmRate {
      let worst =
        rate.worst > rate.mean ? ", and \(TextLine.percent(rate.worst)) of the worst kind (\(rate.worstShape))" : ""
      lines.append("on runs this short, \(TextLine.percent(rate.mean)) of healthy processes look like growth" + worst)
    } else {
      lines.append("how often a run this short errs was never measured: take it for a hint")
    }
    return lines
  }

  /// As many parts on a line as there is room for.
  private func wrapped(_ parts: [String], width: Int) -> [String] {
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, last.count + 4 + part.count <= width {
        lines[lines.count - 1] = last + "    " + part
      } else {
        lines.append(part)
      }
    }
    return lines
  }

  /// The figures of the run, or of the series.
  var figures: [String] {
    guard let run, let first = run.firstUsage, let last = run.lastUsage else {
      guard let first = samples.firstBytes, let last = samples.lastBytes else { return ["nothing could be read"] }
      return [
        (metric?.rawValue ?? "memory") + "  " + ByteText.format(first) + " -> " + ByteText.format(last),
        "least  " + ByteText.format(samples.leastBytes ?? first),
        "most  " + ByteText.format(samples.mostBytes ?? last),
        "samples  " + NumberText.grouped(samples.count),
      ]
    }
    var parts: [String] = []
    if let firstBytes = samples.firstBytes, let lastBytes = samples.lastBytes, metric == .footprint {
      parts.append("footprint  " + ByteText.format(firstBytes) + " -> " + ByteText.format(lastBytes))
    } else {
      parts.append(
        "footprint  " + ByteText.format(first.footprintBytes) + " -> " + ByteText.format(last.footprintBytes))
    }
    parts.append("resident  " + ByteText.format(first.residentBytes) + " -> " + ByteText.format(last.residentBytes))
    parts.append("peak resident  " + ByteText.format(run.peakResidentBytes))
    if let held = types?.trends.liveHeap {
      parts.append("live heap  " + ByteText.format(held.firstBytes) + " -> " + ByteText.format(held.lastBytes))
    }
    if let kept = keptByAllocatorBytes {
      parts.append("kept by the allocator  " + ByteText.format(kept, sign: .always))
    }
    return parts
  }

  private var subjectLine: String {
    let pid = subject.identity.map { " (pid \($0.processID))" } ?? ""
    let others = (run?.processCount ?? 1) > 1 ? " and \((run?.processCount ?? 1) - 1) more" : ""
    return LineText.bounded(subject.name, limit: 72) + pid + others + " " + subject.ending
  }

  private func costText(_ run: RunFigures) -> String {
    let taken = run.sampleCount - run.failedSampleCount
    // Of a run of a moment, starting this program would be most of the share.
    var text =
      run.cost.elapsedSeconds >= 1
      ? "\(TextLine.percent(run.cost.shareOfOneCore)) of one core, "
      : "\(DurationText.format(seconds: run.cost.processorSeconds)) of processor time, "
    text += NumberText.grouped(taken) + " of " + NumberText.grouped(run.sampleCount) + " samples"
    if samples.keptOneIn > 1 { text += ", one in \(samples.keptOneIn) judged" }
    if run.cost.detailCount > 0 {
      text += "; \(run.cost.detailCount) looks at the details held the target up for "
      text += DurationText.format(seconds: run.cost.detailSeconds) + " in all"
    }
    if let types {
      let censuses = types.censusCount == 1 ? "1 census" : "\(types.censusCount) censuses"
      text += "; \(censuses) took \(DurationText.format(seconds: types.seconds))"
      if types.isApproximate { text += ", approximate: not glibc's allocator" }
    }
    return text
  }
}

/// Small pieces of the report's text.
enum TextLine {
  /// A share with two figures that mean something: `"12 %"`, `"0.02 %"`.
  static func percent(_ share: Double) -> String {
    let value = share * 100
    return NumberText.fixed(value, decimals: value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2) + " %"
  }
}
