// What to type next: the exact command, where there is one that would answer what is open.

import MeasurementText
import MemoryRecording
import ProcessMemory
import TrendAnalysis
import TrendReporting

enum NextCommand {
  /// A command, or a command and what it is for; `nil` where there is nothing more to ask.
  static func suggestion(for report: TrendReport, _ options: WatchOptions, processRuns: Bool) -> String? {
    let assessment = report.assessment
    let processID = processRuns ? report.subject.identity?.processID : nil
    switch assessment.decidingClause {
    case .tooShort, .noSamples:
      return again(options, processID, duration: assessment.window.requiredDuration)
    case .tooFewSamples:
      return again(
        options, processID, duration: max(assessment.window.requiredDuration, options.recording.duration * 4))
    case .fewCycles, .slowing, .oneStep, .weakEvidence, .stillRising, .fallsBack:
      return again(options, processID, duration: max(assessment.window.duration * 4, TrendOptions.recommendedDuration))
        .map { $0 + "   (a longer run tells)" }
    case .gap, .missingSamples, .clockStep:
      return again(options, processID, duration: options.recording.duration)
    case .floorsRise:
      return processID.map { "introspect memory \($0)   (which kind of memory it is)" }
    default: return nil
    }
  }

  /// Looks at a type that grows, while the process runs.
  static func look(at type: String, _ report: TrendReport, _ options: WatchOptions) -> String? {
    guard report.next?.hasPrefix("introspect memory") == true, let processID = report.subject.identity?.processID else {
      return nil
    }
    let name = type.split(separator: "<").first?.split(separator: ".").last.map(String.init) ?? type
    return "introspect heap \(processID) --filter \(shellQuoted(name))"
  }

  /// The command again, for another time: by pid while the process runs; `nil` for an attached process that has ended.
  private static func again(_ options: WatchOptions, _ processID: Int32?, duration: Double) -> String? {
    var words = ["leak-trend", "--duration", durationOption(duration)] + options.typedOptions
    // A run that is long enough needs no shorter one accepted.
    if duration >= TrendOptions.recommendedDuration, let place = words.firstIndex(of: "--min-duration") {
      words.removeSubrange(place...(place + 1))
    }
    if let processID {
      words.removeAll { $0 == "--stop-child" || $0 == "--propagate-exit" }
      words += ["--pid", "\(processID)"]
    } else if case .launch(let command) = options.target {
      words += ["--"] + command
    } else {
      return nil
    }
    return words.map(shellQuoted).joined(separator: " ")
  }

  private static func durationOption(_ seconds: Double) -> String {
    guard seconds >= 1, seconds < 1e9 else { return "30m" }
    // Nobody asks for two hours and five seconds.
    let whole = seconds >= 600 ? UInt64((seconds / 60).rounded()) * 60 : UInt64(seconds.rounded(.up))
    if whole.isMultiple(of: 3600) { return "\(whole / 3600)h" }
    return whole.isMultiple(of: 60) ? "\(whole / 60)m" : "\(whole)s"
  }

  /// A word as a shell takes it.
  private static func shellQuoted(_ word: String) -> String {
    let plain = word.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "-_./:=,%@+".unicodeScalars.contains(scalar))
    }
    guard word.isEmpty || !plain else { return word }
    return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
