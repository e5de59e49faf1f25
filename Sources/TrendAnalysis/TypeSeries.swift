/// How many objects of one type there were, and how many bytes they took, at several moments of a run.
public struct TypeSeries: Sendable {
  /// The type's name.
  public var type: String
  /// What kind of object it is, as the census has it.
  public var kind: String
  /// The censuses, in order of time; 0 where there was none of the type.
  public var points: [Point]

  /// The type at one census.
  public struct Point: Sendable {
    /// Seconds since the run began, on the samples' clock.
    public var elapsed: Double
    /// Live instances.
    public var instances: Double
    /// What they took, in bytes.
    public var bytes: Double

    /// The type at one census.
    public init(elapsed: Double, instances: Double, bytes: Double) {
      self.elapsed = elapsed
      self.instances = instances
      self.bytes = bytes
    }
  }

  /// How a type's objects grew.
  public init(type: String, kind: String, points: [Point]) {
    self.type = type
    self.kind = kind
    self.points = points
  }
}

/// What the censuses of a run say of one type, over the part of the run that was judged.
public struct TypeTrend: Codable, Sendable, Equatable {
  /// The type's name.
  public var type: String
  /// What kind of object it is.
  public var kind: String
  /// The verdict of the epoch-floor rule, with the censuses for floors.
  public var verdict: Verdict
  /// Which clause decided; `nil` where there were too few censuses.
  public var decidingClause: DecidingClause?
  /// The exact one-sided probability of such a rise, were there no trend.
  public var probability: Double?
  /// Live instances at the first census judged, at the end of the first epoch.
  public var firstInstances: Double
  /// Live instances at the last census.
  public var lastInstances: Double
  /// Bytes at the first census judged.
  public var firstBytes: Double
  /// Bytes at the last census.
  public var lastBytes: Double
  /// Instances gained per hour, along the slope.
  public var instancesPerHour: Double
  /// Bytes gained per hour, along the slope.
  public var bytesPerHour: Double
  /// The gain in bytes as a share of what the footprint gained; `nil` where that did not grow.
  public var shareOfGrowth: Double?

  /// Instances gained.
  public var instanceGrowth: Double { lastInstances - firstInstances }
  /// Bytes gained.
  public var byteGrowth: Double { lastBytes - firstBytes }
}

/// What the censuses of a run say of its types.
public struct TypeTrends: Codable, Sendable, Equatable {
  /// Censuses that were judged: one at the end of each epoch after the warm-up.
  public var censusCount: Int
  /// Types that were seen.
  public var typeCount: Int
  /// The types that grow, the one that gained most bytes first.
  public var growing: [TypeTrend]
  /// Containers that gained bytes and no instances, now and then: what holds the types that grow, often.
  public var grownInPlace: [TypeTrend]
  /// Types that grow in step, instance for instance.
  public var groups: [[String]]
  /// The live heap as a whole, judged in the same way.
  public var liveHeap: TypeTrend?
  /// What the types above gained, as a share of what the footprint gained; `nil` where that did not grow.
  public var explainedShare: Double?
}
