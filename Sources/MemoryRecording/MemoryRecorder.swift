import ProcessMemory

/// What a recording asks of the world: the time, and to be woken.
///
/// One for the system and one for tests, in which a day passes in a moment.
public protocol RecordingClock: ~Copyable {
  /// Seconds since the recording began; must count while the machine is suspended.
  var elapsed: Double { get }
  /// Seconds since 1970.
  var unixTime: Double { get }
  /// Waits for a moment, or for something that comes before it.
  mutating func wait(until elapsed: Double) -> RecordingWake
}

/// Why a wait ended.
public enum RecordingWake: Hashable, Sendable {
  /// The moment has come.
  case due
  /// The target has ended.
  case targetEnded
  /// Someone asked for the recording to end; the number is the signal's.
  case stopRequested(signal: Int32)
  /// Something to look at (a resized terminal) that changes nothing about the recording.
  case attention
}

/// Why a recording ended.
public enum RecordingEnd: Hashable, Sendable {
  /// It was as long as it was meant to be.
  case durationReached
  /// The target ended.
  case targetEnded
  /// The pid was given to another process.
  case targetReplaced
  /// Someone asked for it; the number is the signal's.
  case stopRequested(signal: Int32)
}

/// Samples a process on a schedule until the time is up, the target ends, or someone asks to stop.
public struct MemoryRecorder: ~Copyable {
  /// The footprint over time: what the verdict is made of.
  public private(set) var footprint: SampleHistory
  /// The first sample that could be read.
  public private(set) var first: RecordedSample?
  /// The last sample that could be read.
  public private(set) var last: RecordedSample?
  /// The largest resident size that was seen or that the kernel kept, in bytes.
  public private(set) var peakResidentBytes: UInt64 = 0
  /// Samples that were due and taken, whether or not they could be read.
  public private(set) var sampleCount = 0
  /// Samples that could not be read.
  public private(set) var failedCount = 0
  /// Why the last of those could not.
  public private(set) var lastFailure: ProcessMemoryError?

  private var sampler: MemorySampler
  private var schedule: SampleSchedule
  private let duration: Double

  /// A recording that has not begun.
  ///
  /// - Parameters:
  ///   - sampler: reads the target.
  ///   - interval: seconds between samples.
  ///   - duration: seconds after which the recording ends; infinity for no end.
  ///   - capacity: points of the history.
  ///   - seed: of the schedule's jitter.
  public init(
    sampler: consuming MemorySampler, interval: Double, duration: Double,
    capacity: Int = SampleHistory.defaultCapacity, seed: UInt64
  ) {
    self.sampler = sampler
    self.duration = duration
    schedule = SampleSchedule(interval: interval, seed: seed)
    let expected = duration / schedule.interval + 16
    footprint = SampleHistory(capacity: expected < Double(capacity) ? Int(expected) : capacity)
  }

  /// Takes samples until the recording ends; the first one at once.
  ///
  /// - Parameters:
  ///   - clock: the time, and what wakes the recording.
  ///   - onSample: called with each sample as it is taken: the place to write it down.
  ///   - onAttention: called when a wait ended for something that is no sample.
  public mutating func run(
    clock: inout some RecordingClock & ~Copyable, onSample: (RecordedSample, borrowing MemoryRecorder) -> Void,
    onAttention: (borrowing MemoryRecorder) -> Void = { _ in }
  ) -> RecordingEnd {
    if let end = takeSample(clock, onSample) { return end }
    var due = schedule.next(after: clock.elapsed)
    while true {
      // The last sample is taken at the end of the time, and not up to an interval before it.
      switch clock.wait(until: min(due, duration)) {
      case .due:
        if let end = takeSample(clock, onSample) { return end }
        if clock.elapsed >= duration { return .durationReached }
        due = schedule.next(after: clock.elapsed)
      case .attention: onAttention(self)
      case .targetEnded: return .targetEnded
      case .stopRequested(let signal):
        // What is known at the moment of asking belongs to the record; if the target ended by the same signal, so be it.
        _ = takeSample(clock, onSample)
        return .stopRequested(signal: signal)
      }
    }
  }

  private mutating func takeSample(
    _ clock: borrowing some RecordingClock & ~Copyable, _ onSample: (RecordedSample, borrowing MemoryRecorder) -> Void
  ) -> RecordingEnd? {
    var sample = RecordedSample(
      elapsed: clock.elapsed, unixTime: clock.unixTime, processID: sampler.processID, usage: nil)
    do throws(ProcessMemoryError) {
      let usage = try sampler.sample()
      sample.usage = usage
      footprint.append(elapsed: sample.elapsed, bytes: Double(usage.footprintBytes))
      peakResidentBytes = max(peakResidentBytes, usage.residentBytes, usage.peakResidentBytes ?? 0)
      if first == nil { first = sample }
      last = sample
    } catch {
      switch error {
      case .processEnded, .noSuchProcess: return .targetEnded
      case .processReplaced: return .targetReplaced
      default:
        failedCount += 1
        lastFailure = error
      }
    }
    sampleCount += 1
    onSample(sample, self)
    return nil
  }
}
