import TrendAnalysis

/// What censuses of the live objects have shown in the course of a run.
public struct TypeFigures: Codable, Sendable {
  /// Which types grow.
  public var trends: TypeTrends
  /// Censuses that were taken.
  public var censusCount: Int
  /// What they took in all, in seconds, on one core. The target ran on meanwhile.
  public var seconds: Double
  /// How much of the heap the last one has walked, from 0 to 1.
  public var coverage: Double
  /// Whether the counts are an approximation, since the target's allocator is not glibc's.
  public var isApproximate: Bool
  /// Live bytes of the heap at each census.
  public var liveBytes: [UInt64]
  /// When those were, in seconds since the run began.
  public var moments: [Double]

  /// What censuses have shown.
  public init(
    trends: TypeTrends, censusCount: Int, seconds: Double, coverage: Double, isApproximate: Bool, liveBytes: [UInt64],
    moments: [Double]
  ) {
    self.trends = trends
    self.censusCount = censusCount
    self.seconds = seconds
    self.coverage = coverage
    self.isApproximate = isApproximate
    self.liveBytes = liveBytes
    self.moments = moments
  }
}
