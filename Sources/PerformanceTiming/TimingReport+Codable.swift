// The same keys as `TimingReport.json` writes, for those who have an encoder.

extension TimingReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case roots = "spans"
    case running, abandoned
    case unmatchedStops = "unmatched_stops"
    case nameLimit = "name_limit"
    case otherCount = "other_count"
    case elapsed = "elapsed_ns"
  }

  /// Reads a report.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    roots = try values.decode([Node].self, forKey: .roots)
    running = try values.decode([RunningSpan].self, forKey: .running)
    abandoned = try values.decode([NameCount].self, forKey: .abandoned)
    unmatchedStops = try values.decode([NameCount].self, forKey: .unmatchedStops)
    nameLimit = try values.decode(Int.self, forKey: .nameLimit)
    otherCount = try values.decode(UInt64.self, forKey: .otherCount)
    elapsed = try values.duration(.elapsed)
  }

  /// Writes a report.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(roots, forKey: .roots)
    try values.encode(running, forKey: .running)
    try values.encode(abandoned, forKey: .abandoned)
    try values.encode(unmatchedStops, forKey: .unmatchedStops)
    try values.encode(nameLimit, forKey: .nameLimit)
    try values.encode(otherCount, forKey: .otherCount)
    try values.encode(Nanoseconds.of(elapsed), forKey: .elapsed)
  }
}

extension TimingReport.Node: Codable {
  enum CodingKeys: String, CodingKey {
    case name, count, children
    case total = "total_ns"
    case selfTime = "self_ns"
    case min = "min_ns"
    case mean = "mean_ns"
    case p50 = "p50_ns"
    case p90 = "p90_ns"
    case p99 = "p99_ns"
    case max = "max_ns"
    case threadCPU = "thread_cpu"
    case processCPU = "process_cpu"
  }

  /// The durations, each with its key.
  var durations: [(CodingKeys, Duration)] {
    [
      (.total, total), (.selfTime, selfTime), (.min, min), (.mean, mean), (.p50, p50), (.p90, p90), (.p99, p99),
      (.max, max),
    ]
  }

  /// Reads a place and all below it.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try values.decode(String.self, forKey: .name), count: try values.decode(UInt64.self, forKey: .count),
      total: try values.duration(.total), selfTime: try values.duration(.selfTime), min: try values.duration(.min),
      mean: try values.duration(.mean), p50: try values.duration(.p50), p90: try values.duration(.p90),
      p99: try values.duration(.p99), max: try values.duration(.max),
      threadCPU: try values.decodeIfPresent(TimingReport.ProcessorTotal.self, forKey: .threadCPU),
      processCPU: try values.decodeIfPresent(TimingReport.ProcessorTotal.self, forKey: .processCPU),
      children: try values.decode([TimingReport.Node].self, forKey: .children))
  }

  /// Writes a place and all below it.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(count, forKey: .count)
    for (key, duration) in durations { try values.encode(Nanoseconds.of(duration), forKey: key) }
    try values.encodeIfPresent(threadCPU, forKey: .threadCPU)
    try values.encodeIfPresent(processCPU, forKey: .processCPU)
    try values.encode(children, forKey: .children)
  }
}

extension TimingReport.ProcessorTotal: Codable {
  private enum CodingKeys: String, CodingKey {
    case count
    case total = "total_ns"
  }

  /// Reads a processor time.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(count: try values.decode(UInt64.self, forKey: .count), total: try values.duration(.total))
  }

  /// Writes a processor time.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(count, forKey: .count)
    try values.encode(Nanoseconds.of(total), forKey: .total)
  }
}

extension TimingReport.RunningSpan: Codable {
  private enum CodingKeys: String, CodingKey {
    case name
    case elapsed = "elapsed_ns"
  }

  /// Reads a running span.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(name: try values.decode(String.self, forKey: .name), elapsed: try values.duration(.elapsed))
  }

  /// Writes a running span.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(Nanoseconds.of(elapsed), forKey: .elapsed)
  }
}

extension KeyedDecodingContainer {
  /// A duration that was written as whole nanoseconds.
  fileprivate func duration(_ key: Key) throws -> Duration { .nanoseconds(try decode(Int64.self, forKey: key)) }
}
