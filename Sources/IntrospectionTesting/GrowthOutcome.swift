// Floor 5, growth: what rounds of a scenario have shown.

/// What the rounds of a scenario have shown.
enum GrowthOutcome {
  case steady
  case grew(GrowthFinding)
  /// Growth that cannot be laid to the scenario.
  case undecided(GrowthFinding)
  case notChecked(String)
}

/// Growth in every round, with what is known of it.
struct GrowthFinding {
  var rounds: Int
  /// Live bytes gained in each round.
  var heapSteps: [Int64]
  /// What grew: types, or else blocks without a type.
  var rows: [GrowthRule.Growth]
  /// What keeps objects of a type, for some of the types.
  var causes: [GrowthCauses.Cause]
  /// Other threads allocated, or other assertions ran.
  var isDisturbed: Bool
  var otherAssertions: Int
  /// Rows that also grew while the scenario did not run.
  var grewInPause: Bool
}
