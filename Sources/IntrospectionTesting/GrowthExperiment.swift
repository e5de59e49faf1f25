// Floor 5, growth: the course of the rounds.
import HeapInspection

/// Decides what happens next in an assertion on growth: the scenario, a pause, or the end. Whoever asks runs the scenario and
/// sleeps, so that there is one course for those who wait and those who await.
///
/// 1. `warmup` runs, with a census that nobody keeps: lazy globals, caches and metadata are made now.
/// 2. A census, then `rounds` times the scenario and a census. The usual end: nothing grew in every round.
/// 3. Something did: pauses of 1, 2, 4 … 64 ms, as long as there is patience, with a census after each, until none of it is left. What remains, grew.
/// 4. Other threads were allocating all the while, or no type has grown and an asynchronous scenario does not say on which threads it ran:
///    2 and 3 once more, and only what grew again counts.
final class GrowthExperiment {
  enum Step {
    case scenario
    case pause(Duration)
    case finished(GrowthOutcome)
  }

  private enum Phase { case warmUp(left: Int), round(left: Int), settling(Backoff) }

  private let rounds: Int
  /// For how long late releases are waited for.
  private let patience: Duration
  private let ignored: IgnoredTypes
  /// The scenario runs on the thread that asks, so that allocations of all others are not its own.
  private let isOnThisThread: Bool
  private var phase: Phase
  private let log = CensusLog()
  private let inspector: HeapInspector
  private let others = OtherThreads()
  private let stay = Stay()
  private var series: [GrowthRule.Series] = []

  init(_ plan: GrowthPlan, isOnThisThread: Bool) throws(HeapInspectionError) {
    // One round more or less proves nothing, so there are two at least.
    self.rounds = min(max(plan.rounds, 2), 1000)
    patience = plan.patience
    ignored = plan.ignored
    self.isOnThisThread = isOnThisThread
    inspector = try CensusSupport.inspector()
    phase = .warmUp(left: min(max(plan.warmup, 0), 1000))
    series.reserveCapacity(2)
  }

  /// What to do next; to be asked again when it is done.
  func next() -> Step {
    do {
      switch phase {
      case .warmUp(let left): return try warmUp(left)
      case .round(let left): return try afterRound(left)
      case .settling(let backoff): return try afterPause(backoff)
      }
    } catch let error as HeapInspectionError {
      return .finished(.notChecked("growth was not checked: \(error.description)"))
    } catch {
      return .finished(.notChecked("growth was not checked: the heap has too many types to keep each census"))
    }
  }

  private func warmUp(_ left: Int) throws -> Step {
    if left > 0 {
      phase = .warmUp(left: left - 1)
      return .scenario
    }
    // A round for nothing, so that nothing of what a round needs is made in the first that counts.
    others.beginRound()
    try takeCensus()
    others.endRound()
    _ = hasGrowth
    log.removeAll()
    return try beginSeries()
  }

  private func beginSeries() throws -> Step {
    try takeCensus()
    if series.isEmpty { others.forget() }
    series.append(GrowthRule.Series(first: log.count - 1, rounds: rounds, last: log.count - 1 + rounds))
    return beginRound(left: rounds)
  }

  private func beginRound(left: Int) -> Step {
    phase = .round(left: left - 1)
    others.beginRound()
    return .scenario
  }

  private func afterRound(_ left: Int) throws -> Step {
    // Of an asynchronous scenario the threads are not known: only what is allocated during the census is certainly others'.
    if !isOnThisThread { others.beginRound() }
    try takeCensus()
    others.endRound()
    if left > 0 { return beginRound(left: left) }
    return try pause(Backoff(upTo: patience))
  }

  private func afterPause(_ backoff: Backoff) throws -> Step {
    try takeCensus()
    series[series.count - 1].last = log.count - 1
    return try pause(backoff)
  }

  /// The next pause, as long as something has grown and there is time.
  private func pause(_ backoff: Backoff) throws -> Step {
    if !hasGrowth { return .finished(.steady) }
    var backoff = backoff
    if let pause = backoff.pause() {
      phase = .settling(backoff)
      return .pause(pause)
    }
    return isDoubtful && series.count < 2 ? try beginSeries() : .finished(conclusion())
  }

  /// Where other threads change the heap, a walk may lose its way for a while and miss objects, and a round would seem not to have
  /// grown: such a census is taken again.
  private func takeCensus() throws {
    var attempts = WalkAttempts()
    while attempts.another(afterLosses: try appendCensus()) { log.removeLast() }
  }

  /// Takes a census, and lets go of it before there is another; returns how often the walk has lost its way.
  private func appendCensus() throws -> Int {
    let census = try inspector.snapshot().census
    try log.append(census, ignoring: ignored)
    return census.totals.resynchronizations
  }

  // MARK: Judging. All that is made here is gone again before the next census.

  /// Whether other threads may have made what grew: they have allocated in some round. Of an asynchronous scenario only a part of
  /// each round is known, so that other assertions count too.
  private var isDisturbed: Bool { others.noisyRounds > 0 || !isOnThisThread && stay.others > 0 }

  /// Whether one series proves nothing. What dispatch and the frameworks allocate between the steps of an asynchronous scenario has no type.
  private var isDoubtful: Bool {
    isDisturbed || !isOnThisThread && !GrowthRule(series: series).hasGrowingTypes(CensusMatrix(log))
  }

  private var hasGrowth: Bool {
    let matrix = CensusMatrix(log)
    let rule = GrowthRule(series: series)
    return rule.hasGrowingTypes(matrix) || !isDisturbed && rule.heapGrows(matrix)
  }

  private func conclusion() -> GrowthOutcome {
    let matrix = CensusMatrix(log)
    let rule = GrowthRule(series: series)
    let types = rule.growingTypes(matrix)
    var finding = GrowthFinding(
      rounds: rounds, heapSteps: rule.heapSteps(matrix), rows: types, causes: [], isDisturbed: isDisturbed,
      otherAssertions: stay.others, grewInPause: types.allSatisfy(\.grewInPause))
    if types.isEmpty {
      finding.rows = rule.growingGroups(matrix)
      let isProven = isOnThisThread || finding.rows.contains { !GrowthRule.mayBeContinuations($0) }
      return isProven ? .grew(finding) : .undecided(finding)
    }
    // What proves that the scenario did it: a type of the program, that grows in the rounds and not in the pauses.
    let isProven =
      !isDisturbed && (isOnThisThread || !finding.grewInPause)
      || types.contains { !$0.grewInPause && !SharedTypes.contains($0.name, $0.kind) }
    guard isProven else { return .undecided(finding) }
    finding.causes = GrowthCauses.find(types, inspector, isQuiet: !isDisturbed)
    return .grew(finding)
  }
}
