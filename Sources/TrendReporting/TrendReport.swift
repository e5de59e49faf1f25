import MemoryRecording
import ProcessMemory
import TrendAnalysis

/// Everything leak-trend has to say about a run; text, JSON and SVG are renderings of it.
///
/// As JSON this is the schema `leak-trend.report`, version 1: fields may be added, none will be removed or change its
/// meaning. Amounts are bytes, times seconds.
public struct TrendReport: Codable, Sendable {
  /// The name of the schema.
  public var schema = "leak-trend.report"
  /// The version of the schema.
  public var schemaVersion = 1
  /// The version of the tool that judged.
  public var toolVersion: String
  /// The answer.
  public var verdict: Verdict
  /// Why, in one line.
  public var reason: String
  /// The figure that was judged.
  public var metric: MemoryMetric?
  /// The verdict on that figure with all figures behind it, the constants of the rule included.
  public var assessment: TrendAssessment
  /// Where growth comes from, as far as is known.
  public var cause: GrowthCause
  /// The verdict on the live heap; `nil` where that is not known.
  public var liveHeap: TrendAssessment?
  /// The footprint's growth minus the live heap's; `nil` where either is not known.
  public var keptByAllocatorBytes: Double?
  /// Which types grow; `nil` where no censuses were taken.
  public var types: TypeFigures?
  /// What was watched, or which file was read.
  public var subject: TrendSubject
  /// The series in a few figures.
  public var samples: SeriesSummary
  /// What a run that was watched measured beside the series; `nil` for a file.
  public var run: RunFigures?
  /// The machine and the target's control group; `nil` for a file.
  public var host: HostMemoryFacts?
  /// What went wrong on the way without ending the run: a full disk, samples that could not be read, rows of a file.
  public var warnings: [String]
  /// Files that were written, as the user named them.
  public var files: [String] = []
  /// The command that would answer what is open, if there is one.
  public var next: String?

  /// A report on a judged series.
  public init(
    toolVersion: String, metric: MemoryMetric?, combined: CombinedAssessment, subject: TrendSubject,
    samples: SeriesSummary, run: RunFigures? = nil, host: HostMemoryFacts? = nil, warnings: [String] = []
  ) {
    self.toolVersion = toolVersion
    self.metric = metric
    verdict = combined.verdict
    reason = combined.reason
    assessment = combined.footprint
    cause = combined.cause
    liveHeap = combined.liveHeap
    keptByAllocatorBytes = combined.keptByAllocatorBytes
    self.subject = subject
    self.samples = samples
    self.run = run
    self.host = host
    self.warnings = warnings
  }
}

/// What a report is about.
public struct TrendSubject: Codable, Sendable {
  /// What it is called in text: a command, or a file.
  public var name: String
  /// The process; `nil` for a file.
  public var identity: ProcessIdentity?
  /// How the run ended, as one clause: `"exited with code 0 after 30 min"`; for a file, what was taken for what.
  public var ending: String
  /// The exit code of a program that was launched and has ended by itself.
  public var exitCode: Int32?
  /// The signal that ended a program that was launched.
  public var endingSignal: Int32?

  /// What a report is about.
  public init(
    name: String, identity: ProcessIdentity? = nil, ending: String, exitCode: Int32? = nil, endingSignal: Int32? = nil
  ) {
    self.name = name
    self.identity = identity
    self.ending = ending
    self.exitCode = exitCode
    self.endingSignal = endingSignal
  }
}

/// A series in a few figures, in bytes and seconds.
public struct SeriesSummary: Codable, Hashable, Sendable {
  /// Samples in the series.
  public var count: Int
  /// Of how many samples one was kept for the verdict; 1 unless a run was very long.
  public var keptOneIn: Int
  /// The first value.
  public var firstBytes: Double?
  /// The last value.
  public var lastBytes: Double?
  /// The least value.
  public var leastBytes: Double?
  /// The largest value.
  public var mostBytes: Double?

  /// A series in a few figures.
  public init(_ points: some Collection<SampleHistory.Point>, count: Int, keptOneIn: Int = 1) {
    self.count = count
    self.keptOneIn = keptOneIn
    var last: SampleHistory.Point?
    for point in points {
      if last == nil { firstBytes = point.bytes }
      leastBytes = min(leastBytes ?? point.low, point.low)
      mostBytes = max(mostBytes ?? point.high, point.high)
      last = point
    }
    lastBytes = last?.bytes
  }
}

/// What a run that was watched measured beside the series.
public struct RunFigures: Codable, Sendable {
  /// The first sample's figures.
  public var firstUsage: MemoryUsage?
  /// The last sample's figures.
  public var lastUsage: MemoryUsage?
  /// The last look at the details, where looks were asked for.
  public var lastDetails: DetailedMemoryUsage?
  /// Processes at the last sample.
  public var processCount: Int
  /// The largest resident size seen or kept by the kernel, in bytes.
  public var peakResidentBytes: UInt64
  /// Samples that were due.
  public var sampleCount: Int
  /// Samples that could not be read.
  public var failedSampleCount: Int
  /// Samples at which the target was stopped, which are not judged.
  public var stoppedSampleCount: Int
  /// The allocators that the target has loaded, the one in use first; empty where none was recognised or seen.
  public var allocators: [String]
  /// What measuring cost.
  public var cost: ObserverCost

  /// What a run measured.
  public init(
    firstUsage: MemoryUsage?, lastUsage: MemoryUsage?, lastDetails: DetailedMemoryUsage?, processCount: Int,
    peakResidentBytes: UInt64, sampleCount: Int, failedSampleCount: Int, stoppedSampleCount: Int, allocators: [String],
    cost: ObserverCost
  ) {
    self.firstUsage = firstUsage
    self.lastUsage = lastUsage
    self.lastDetails = lastDetails
    self.processCount = processCount
    self.peakResidentBytes = peakResidentBytes
    self.sampleCount = sampleCount
    self.failedSampleCount = failedSampleCount
    self.stoppedSampleCount = stoppedSampleCount
    self.allocators = allocators
    self.cost = cost
  }
}

/// What measuring took from the machine.
public struct ObserverCost: Codable, Hashable, Sendable {
  /// Processor time of the measuring process, in seconds.
  public var processorSeconds: Double
  /// How long it ran, in seconds.
  public var elapsedSeconds: Double
  /// Its own largest resident size in bytes; `nil` where that could not be read.
  public var peakResidentBytes: UInt64?
  /// Looks at the target's details, each of which held it up.
  public var detailCount: Int
  /// How long those took in all, in seconds.
  public var detailSeconds: Double

  /// The cost of measuring.
  public init(
    processorSeconds: Double, elapsedSeconds: Double, peakResidentBytes: UInt64?, detailCount: Int,
    detailSeconds: Double
  ) {
    self.processorSeconds = processorSeconds
    self.elapsedSeconds = elapsedSeconds
    self.peakResidentBytes = peakResidentBytes
    self.detailCount = detailCount
    self.detailSeconds = detailSeconds
  }

  /// Processor time as a share of one core; 0 for a run without length.
  public var shareOfOneCore: Double { elapsedSeconds > 0 ? processorSeconds / elapsedSeconds : 0 }
}
