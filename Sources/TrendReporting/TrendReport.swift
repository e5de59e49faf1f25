import MemoryRecording
import ProcessMemory
import TrendAnalysis

/// Everything leak-trend has to say at the end of a run; text is one rendering of it.
public struct TrendReport: Codable, Sendable {
  /// The verdict and the figures behind it.
  public var assessment: TrendAssessment
  /// What was watched; `nil` where that could not be read.
  public var target: ProcessIdentity?
  /// How the run ended, as one clause: `"exited with code 0"`.
  public var ending: String
  /// The first sample's figures.
  public var firstUsage: MemoryUsage?
  /// The last sample's figures.
  public var lastUsage: MemoryUsage?
  /// The largest resident size seen or kept by the kernel, in bytes.
  public var peakResidentBytes: UInt64
  /// Samples that were due.
  public var sampleCount: Int
  /// Samples that could not be read.
  public var failedSampleCount: Int
  /// Of how many samples one was kept for the verdict; 1 unless the run was very long.
  public var historyStride: Int
  /// What measuring cost.
  public var cost: ObserverCost
  /// The machine and the target's control group.
  public var host: HostMemoryFacts
  /// Files that were written, as the user named them.
  public var files: [String]
  /// What went wrong on the way without ending the run: a full disk, a sample that could not be read.
  public var warnings: [String]

  /// What leak-trend has to say.
  public init(
    assessment: TrendAssessment, target: ProcessIdentity?, ending: String, firstUsage: MemoryUsage?,
    lastUsage: MemoryUsage?, peakResidentBytes: UInt64, sampleCount: Int, failedSampleCount: Int, historyStride: Int,
    cost: ObserverCost, host: HostMemoryFacts, files: [String], warnings: [String]
  ) {
    self.assessment = assessment
    self.target = target
    self.ending = ending
    self.firstUsage = firstUsage
    self.lastUsage = lastUsage
    self.peakResidentBytes = peakResidentBytes
    self.sampleCount = sampleCount
    self.failedSampleCount = failedSampleCount
    self.historyStride = historyStride
    self.cost = cost
    self.host = host
    self.files = files
    self.warnings = warnings
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

  /// The cost of measuring.
  public init(processorSeconds: Double, elapsedSeconds: Double, peakResidentBytes: UInt64?) {
    self.processorSeconds = processorSeconds
    self.elapsedSeconds = elapsedSeconds
    self.peakResidentBytes = peakResidentBytes
  }

  /// Processor time as a share of one core; 0 for a run without length.
  public var shareOfOneCore: Double { elapsedSeconds > 0 ? processorSeconds / elapsedSeconds : 0 }
}
