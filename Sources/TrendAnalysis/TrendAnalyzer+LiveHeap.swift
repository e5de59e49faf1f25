// Footprint and live heap together: whether growth is the program's, or the allocator's.
import MeasurementText

extension TrendAnalyzer {
  /// Judges what the process takes and what its program holds, and tells growth of the one from growth of the other.
  ///
  /// - Parameters:
  ///   - footprint: What the process takes from the machine (anonymous and shared memory, and swap).
  ///   - liveHeap: What the program has allocated and not freed; `nil` or empty where it is not known.
  ///   - interval: As for `assess(_:interval:discontinuities:)`, for the footprint. The live heap is often read more rarely:
  ///     its interval is always taken from its spacing.
  ///   - discontinuities: As for `assess(_:interval:discontinuities:)`.
  public func assess(
    footprint: [TrendSample], liveHeap: [TrendSample]?, interval: Double? = nil, discontinuities: [Double] = []
  ) -> CombinedAssessment {
    let taken = assess(footprint, interval: interval, discontinuities: discontinuities)
    let held = liveHeap.flatMap { heap in heap.isEmpty ? nil : assess(heap, discontinuities: discontinuities) }
    let verdict: Verdict = held?.verdict == .growing ? .growing : taken.verdict
    let cause = cause(
      footprint: taken.verdict, growth: taken.growth?.bytes, liveHeap: held?.verdict, liveGrowth: held?.growth?.bytes)
    let decided = taken.verdict != .growing && verdict == .growing ? held ?? taken : taken
    let kept = taken.growth.flatMap { footprint in held?.growth.map { footprint.bytes - $0.bytes } }
    return CombinedAssessment(
      verdict: verdict, cause: cause, reason: decided.reason + Self.explanation(cause, kept: kept), footprint: taken,
      liveHeap: held, keptByAllocatorBytes: kept)
  }

  /// The cause of a growth that was judged growing, from a live heap that was read at a few moments only: what the types of
  /// a run say of it (``assess(types:liveHeap:within:)``), and the words for it. The verdict stays as it is.
  public func cause(
    of assessment: TrendAssessment, liveHeap: TypeTrend
  ) -> (cause: GrowthCause, explanation: String, keptByAllocatorBytes: Double?) {
    let growth = assessment.growth?.bytes
    let kept = liveHeap.decidingClause == nil ? nil : growth.map { $0 - liveHeap.byteGrowth }
    let cause = cause(
      footprint: assessment.verdict, growth: growth, liveHeap: liveHeap.verdict, liveGrowth: liveHeap.byteGrowth)
    return (cause, assessment.verdict == .growing ? Self.explanation(cause, kept: kept) : "", kept)
  }

  private func cause(footprint: Verdict, growth: Double?, liveHeap: Verdict?, liveGrowth: Double?) -> GrowthCause {
    switch (footprint, liveHeap) {
    case (.growing, .growing):
      return (liveGrowth ?? 0) >= options.sensible.liveGrowthShare * (growth ?? 0) ? .liveGrowth : .both
    case (_, .growing): return .liveGrowth
    case (.growing, .stable), (.growing, .shrinking): return .keptByAllocator
    case (.growing, _): return .notKnown
    default: return .none
    }
  }

  private static func explanation(_ cause: GrowthCause, kept: Double?) -> String {
    let amount = ByteText.format(kept ?? 0, sign: .always)
    switch cause {
    case .none, .notKnown: return ""
    case .liveGrowth: return "; live memory grows"
    case .keptByAllocator: return "; live memory does not grow, the allocator keeps \(amount)"
    case .both: return "; live memory grows, and the allocator keeps \(amount) more"
    }
  }
}
