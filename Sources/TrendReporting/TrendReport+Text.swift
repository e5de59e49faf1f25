import MeasurementText
import ProcessMemory
import TrendAnalysis

extension TrendReport {
  /// The report as a person reads it: the verdict and its reason first, then the figures, then what to do next. Several
  /// lines, with a line feed after each.
  public func text() -> String {
    var lines = ["leak-trend: " + headline]
    lines += reasonLines.map { "  " + $0 }
    lines.append("")
    lines += usageLines.map { "  " + $0 }
    lines.append("  " + targetLine)
    lines += warnings.map { "  warning   " + $0 }
    lines.append("")
    lines += nextLine.map { ["  next      " + $0] } ?? []
    lines.append("  " + (files.isEmpty ? "" : "files     " + files.joined(separator: "  ") + "   ") + costText)
    return lines.joined(separator: "\n") + "\n"
  }

  private var headline: String {
    let word = assessment.verdict.rawValue.uppercased() + (assessment.isSlowing ? " (slowing)" : "")
    guard let growth = assessment.growth, !assessment.decidingClause.isAboutEvidence else {
      return word + "   " + inconclusiveText
    }
    return word + "   " + ByteText.format(growth.bytes, sign: .always) + " in the "
      + DurationText.format(seconds: assessment.window.judgedDuration) + " judged  (" + rateText(growth) + ")"
  }

  /// Without evidence that may be judged, the reason is the headline, and where the samples point is only a leaning.
  private var inconclusiveText: String {
    guard let growth = assessment.growth, assessment.leaning != assessment.verdict else { return assessment.reason }
    return assessment.reason + " (leaning: \(assessment.leaning.rawValue), "
      + ByteText.format(growth.bytes, sign: .always) + ")"
  }

  private func rateText(_ growth: TrendGrowth) -> String {
    let (rate, interval) = ByteText.formatRate(
      bytesPerHour: growth.bytesPerHour, between: growth.bytesPerHourLow, and: growth.bytesPerHourHigh)
    return rate + ", 95 % interval " + interval
  }

  private var reasonLines: [String] {
    var lines: [String] = []
    if assessment.growth != nil, !assessment.decidingClause.isAboutEvidence { lines.append(assessment.reason) }
    let isShort = assessment.window.duration < TrendOptions.recommendedDuration
    if isShort, let rate = assessment.falseAlarmRate, assessment.growth != nil {
      lines.append(
        "on runs this short, \(percent(rate.mean)) of healthy processes look like growth "
          + "(\(percent(rate.worst)) of those that do worst: \(rate.worstShape))")
    }
    return lines
  }

  private var usageLines: [String] {
    guard let first = firstUsage, let last = lastUsage else { return ["nothing could be read"] }
    func change(_ figure: KeyPath<MemoryUsage, UInt64>) -> String {
      ByteText.format(first[keyPath: figure]) + " -> " + ByteText.format(last[keyPath: figure])
    }
    return [
      "footprint " + change(\.footprintBytes) + "    resident  " + change(\.residentBytes)
        + "    peak resident  " + ByteText.format(peakResidentBytes)
    ]
  }

  private var targetLine: String {
    let pid = target.map { " (pid \($0.processID))" } ?? ""
    return "target    " + Self.onOneLine(targetName) + pid + " " + ending
  }

  /// The command as it was typed, but for the folders of the program.
  private var targetName: String {
    guard let target else { return "the target" }
    guard let program = target.commandLine.first else { return target.name }
    let name = program.split(separator: "/").last.map(String.init) ?? program
    return ([name] + target.commandLine.dropFirst()).joined(separator: " ")
  }

  /// A command line may hold anything; here it takes one line of a bounded length.
  static func onOneLine(_ text: String, limit: Int = 60) -> String {
    let plain = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) }
    return plain.count <= limit ? String(plain) : String(plain.prefix(limit - 1)) + "…"
  }

  /// What would answer what is still open.
  private var nextLine: String? {
    switch assessment.decidingClause {
    case .tooShort:
      "--duration \(durationOption(assessment.window.requiredDuration)) for an answer, "
        + "or --min-duration \(durationOption(assessment.window.duration)) to accept a run this short"
    case .tooFewSamples where assessment.verdict == .inconclusive: "a shorter --interval, or a longer run"
    default: nil
    }
  }

  private func durationOption(_ seconds: Double) -> String {
    guard seconds >= 1 else { return "1s" }
    let whole = UInt64(seconds.rounded(.down))
    if whole.isMultiple(of: 3600) { return "\(whole / 3600)h" }
    return whole.isMultiple(of: 60) ? "\(whole / 60)m" : "\(whole)s"
  }

  private var costText: String {
    let samples =
      NumberText.grouped(sampleCount - failedSampleCount) + " of " + NumberText.grouped(sampleCount) + " samples"
    return "sampling cost \(percent(cost.shareOfOneCore)) of one core, " + samples
      + (historyStride > 1 ? ", one in \(historyStride) judged" : "")
  }

  /// A share with two figures that mean something: `"12 %"`, `"0.02 %"`.
  private func percent(_ share: Double) -> String {
    let value = share * 100
    return NumberText.fixed(value, decimals: value >= 9.95 ? 0 : value >= 0.995 ? 1 : 2) + " %"
  }
}
