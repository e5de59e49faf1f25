/// Why a process takes more memory.
public enum GrowthCause: String, Codable, Sendable, CaseIterable {
  /// It does not grow.
  case none
  /// What the program allocated and has not freed grows.
  case liveGrowth
  /// Live memory does not grow, only what the process holds: fragmentation, or free pages that were not given back.
  case keptByAllocator
  /// Both grow, and the larger part of the growth is not live memory.
  case both
  /// The live heap is not known, or its series is inconclusive.
  case notKnown
}

/// Footprint and live heap judged together.
public struct CombinedAssessment: Codable, Sendable, Equatable {
  /// Growing if either grows; otherwise the footprint's verdict.
  public var verdict: Verdict
  /// Why it grows, if it does.
  public var cause: GrowthCause
  /// Why, in one line without a full stop: the reason of the series that decided, and the cause.
  public var reason: String
  /// What the process takes from the machine.
  public var footprint: TrendAssessment
  /// What the program holds; `nil` where it is not known.
  public var liveHeap: TrendAssessment?
  /// The footprint's growth minus the live heap's, in bytes; `nil` where either is not known.
  public var keptByAllocatorBytes: Double?
}
