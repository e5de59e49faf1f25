// Floor 5, growth: what a caller asks for.

/// What an assertion on growth is asked to do.
struct GrowthPlan {
  var warmup: Int
  var rounds: Int
  /// For how long late releases are waited for.
  var patience: Duration
  var ignored: IgnoredTypes

  func run(_ scenario: () throws -> Void) rethrows -> GrowthOutcome {
    // Before the experiment, which notes who else runs.
    let turn = Turn.take()
    defer { withExtendedLifetime(turn) {} }
    guard let experiment = experiment(isOnThisThread: true) else {
      // What else the scenario checks is checked.
      try scenario()
      return notChecked
    }
    while true {
      switch experiment.next() {
      case .scenario: try Turn.$isWithin.withValue(true) { try scenario() }
      case .pause(let time): ThreadSleep.sleep(time)
      case .finished(let outcome): return outcome
      }
    }
  }

  nonisolated(nonsending) func run(
    _ scenario: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> GrowthOutcome {
    let turn = await Turn.take()
    defer { withExtendedLifetime(turn) {} }
    guard let experiment = experiment(isOnThisThread: false) else {
      try await scenario()
      return notChecked
    }
    while true {
      switch experiment.next() {
      case .scenario: try await Turn.$isWithin.withValue(true) { try await scenario() }
      case .pause(let time): await time.pass()
      case .finished(let outcome): return outcome
      }
    }
  }

  private func experiment(isOnThisThread: Bool) -> GrowthExperiment? {
    CensusSupport.problem == nil ? try? GrowthExperiment(self, isOnThisThread: isOnThisThread) : nil
  }

  private var notChecked: GrowthOutcome {
    .notChecked("growth was not checked: \(CensusSupport.problem ?? "the heap cannot be inspected")")
  }
}

extension GrowthOutcome {
  /// Tells what there is to tell; whether nothing grew.
  func report(at site: CallSite) -> Bool {
    switch self {
    case .steady: return true
    case .grew(let finding):
      Finding.failure(GrowthText.message(finding), at: site)
      return false
    case .undecided(let finding): Finding.warning(GrowthText.undecided(finding), at: site)
    case .notChecked(let reason): Finding.warning(reason, at: site)
    }
    return true
  }
}
