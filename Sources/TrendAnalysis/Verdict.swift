/// The answer to "is memory trending up?".
public enum Verdict: String, Codable, Sendable, CaseIterable {
  /// Yes: the floor rises through the whole run, by enough to matter, and does not look like a warm-up, a step or a cycle.
  case growing
  /// No: nothing that could be told from noise, or nothing large enough to matter.
  case stable
  /// The opposite of growing.
  case shrinking
  /// The evidence is not there, and the reason says what is missing.
  case inconclusive
}

/// The clause of the rule that decided a verdict, for programs; `TrendAssessment.reason` says the same to people.
public enum DecidingClause: String, Codable, Sendable, CaseIterable {
  // The evidence cannot be judged: always inconclusive.

  /// There is no usable sample.
  case noSamples
  /// Too few samples in the judged part for the fewest epochs the rule can use.
  case tooFewSamples
  /// The run is shorter than `TrendOptions.minimumDuration`, or the warm-up left too little of it.
  case tooShort
  /// A hole in the samples is so long that an epoch's floor may have been missed.
  case gap
  /// Too many samples are missing, all holes together.
  case missingSamples
  /// Time went backwards in a way that sorting cannot repair.
  case clockStep
  /// The values jump by the ratio of two units of memory, and stay there.
  case unitChange
  /// The caller says the process was replaced while it was sampled.
  case identityChange

  // The evidence was judged.

  /// Growing: every test passed.
  case floorsRise
  /// Shrinking: the mirrored test of growth passed.
  case floorsFall
  /// Inconclusive: long cycles, and too few of them to compare their floors.
  case fewCycles
  /// Inconclusive: one step, or two together, hold most of the growth.
  case oneStep
  /// Inconclusive: growth slows so much that it may be filling something bounded.
  case slowing
  /// Inconclusive: the floors fell back from their highest point by much of what they had gained.
  case fallsBack
  /// Inconclusive: growth is large enough to matter, but noise could look the same.
  case weakEvidence
  /// Inconclusive: no trend over the whole run, but the last epochs still add.
  case stillRising
  /// Stable: the change is smaller than `TrendOptions` calls growth.
  case changeTooSmall
  /// Stable: the floors move, without a direction.
  case noDirection
}

extension DecidingClause {
  /// Whether the samples themselves were not fit to be judged (in number, length or quality).
  public var isAboutEvidence: Bool {
    switch self {
    case .noSamples, .tooFewSamples, .tooShort, .gap, .missingSamples, .clockStep, .unitChange, .identityChange: true
    default: false
    }
  }
}
