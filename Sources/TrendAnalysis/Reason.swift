// The one-line reasons. Text only: every figure comes from the assessment.
import MeasurementText

enum Reason {
  /// Why the samples are not fit to be judged.
  static func text(for problem: EvidenceProblem) -> String {
    switch problem {
    case .noSamples(let discarded):
      return discarded == 0 ? "there are no samples" : "none of \(discarded) samples holds a usable value"
    case .tooFewSamples(let judged, let needed):
      return "only \(judged) samples after the warm-up, \(needed) needed"
    case .tooShort(let ran, let needed):
      return "ran \(DurationText.format(seconds: ran)) of the \(DurationText.format(seconds: needed)) needed"
    case .littleLeft(let judged, let needed):
      return "only \(DurationText.format(seconds: judged)) are left after the warm-up,"
        + " \(DurationText.format(seconds: needed)) needed"
    case .gap(let duration, let moment, _):
      return "nothing was sampled for \(DurationText.format(seconds: duration)), from \(time(moment)) on"
    case .missingSamples(let fraction):
      return "\(percent(fraction)) of the samples are missing"
    case .clockStep(let from, let to):
      return "the clock went back by \(DurationText.format(seconds: from - to))"
    case .unitChange(let change):
      let direction = change.isUpward ? "grow" : "shrink"
      return "the values \(direction) \(factor(change.factor))-fold at \(time(change.moment)) and stay there:"
        + " their unit changes"
    case .identityChange(let moment):
      return "the process was replaced by another at \(time(moment))"
    }
  }

  /// Why the rule decided as it did.
  static func text(for clause: DecidingClause, _ evidence: TrendEvidence, cycles: CycleFigures?) -> String {
    let growth = ByteText.format(evidence.growthBytes, sign: .always)
    switch clause {
    case .floorsRise: return direction(evidence, word: "higher", verb: "rise") + pace(evidence)
    case .floorsFall: return direction(evidence, word: "lower", verb: "fall")
    case .fewCycles:
      let count = cycles?.floorCount ?? 0
      return "only \(count) \(count == 1 ? "cycle" : "cycles") seen"
    case .oneStep where evidence.stepShare ?? 1 > evidence.stepShareLimit:
      return "one step holds \(percent(evidence.stepShare ?? 1)) of the growth"
    case .oneStep: return "two steps hold \(percent(evidence.twoStepShare ?? 1)) of the growth"
    case .slowing: return "growth is slowing: \(ratio(evidence.deceleration ?? 0))"
    case .fallsBack:
      guard let drawdown = evidence.drawdown else { return "the floors rose and fell back to where they began" }
      return "the floors fell back by \(percent(drawdown)) of what they gained"
    case .weakEvidence: return "\(growth), but noise could look the same (\(p(evidence.probability)))"
    case .stillRising:
      let recent = noun(evidence, count: 2)
      return "no trend over the whole run (\(p(evidence.probability))), but the last \(recent) still add"
    case .changeTooSmall where evidence.growthBytes.magnitude < 0.5 && evidence.netBytes.magnitude < 0.5:
      return "the floors did not move"
    case .changeTooSmall:
      return "the floors moved by \(growth), less than the \(ByteText.format(evidence.minimumGrowthBytes)) that counts"
    case .noDirection: return "the floors go up and down without a direction (\(p(evidence.probability)))"
    default: return "the samples cannot be judged"
    }
  }

  // MARK: Parts

  private static func direction(_ evidence: TrendEvidence, word: String, verb: String) -> String {
    let count = evidence.floors.count
    let pairs = count * (count - 1) / 2
    let s = evidence.kendallS.magnitudeAsInt
    if s == pairs {
      return "each of \(noun(evidence, count: count)) has a \(word) floor than the one before"
        + " (\(p(evidence.probability)))"
    }
    return "the floors of \(noun(evidence, count: count)) \(verb) in \((pairs + s) / 2) of \(pairs) pairs"
      + " (\(p(evidence.probability)))"
  }

  private static func pace(_ evidence: TrendEvidence) -> String {
    guard let deceleration = evidence.deceleration else { return "; growth set in late" }
    let word = deceleration < 0.8 ? "slowing" : deceleration > 1.25 ? "accelerating" : "steady"
    return "; growth is \(word) (\(ratio(deceleration)))"
  }

  private static func noun(_ evidence: TrendEvidence, count: Int) -> String {
    "\(count) \(evidence.floorKind == .epochs ? "epochs" : "cycles")"
  }

  private static func time(_ seconds: Double) -> String { DurationText.format(seconds: seconds) }

  static func percent(_ fraction: Double) -> String { NumberText.fixed(fraction * 100, decimals: 0) + " %" }

  private static func ratio(_ value: Double) -> String { NumberText.fixed(value, decimals: 2) + "x" }

  private static func factor(_ value: Double) -> String { NumberText.grouped(Int(clamping: value)) }

  /// Two digits that count: 0.016, 0.000025.
  private static func p(_ probability: Double) -> String {
    guard probability >= 1e-6 else { return "p < 0.000001" }
    var decimals = 2
    var scaled = probability * 10
    while scaled < 1, decimals < 9 {
      scaled *= 10
      decimals += 1
    }
    return "p = " + NumberText.fixed(probability, decimals: decimals)
  }
}
