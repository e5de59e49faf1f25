import ProcessMemory

/// How a target is to be recorded.
public struct RecordingOptions: Sendable {
  /// Seconds between samples.
  public var interval = 1.0
  /// Seconds after which the recording ends; infinity for no end.
  public var duration = 1800.0
  /// The figure whose series is kept for the verdict.
  public var metric = MemoryMetric.footprint
  /// Seconds between looks at the details (shares, pages given up), which cost the target time; `nil` for none.
  public var detailInterval: Double?
  /// The longest that a look at the details may hold a process up.
  public var detailBudget: Duration = DetailedMemoryUsage.defaultBudget
  /// Points of the series that are kept.
  public var historyCapacity = SampleHistory.defaultCapacity
  /// Reads the live bytes of the target's heap, where that is what is judged: nothing below this module can.
  public var readLiveHeap: (@Sendable () throws(ProcessMemoryError) -> UInt64)?
  /// Of the schedule's jitter.
  public var seed: UInt64 = 1

  /// Half an hour at one sample a second, by footprint.
  public init() {}
}

/// Samples a target on a schedule until the time is up, the target ends, or someone asks to stop.
public struct MemoryRecorder: ~Copyable {
  /// The figure that is judged, over time. Samples of a stopped target are not in it: they would count as calm.
  public private(set) var history: SampleHistory
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
  /// Samples at which the target was stopped.
  public private(set) var stoppedCount = 0
  /// Looks at the details that were taken, and the time they took in all.
  public private(set) var detailCost: (count: Int, duration: Duration) = (0, .zero)

  private let options: RecordingOptions
  private var target: TargetSampler
  private var schedule: SampleSchedule
  private var nextDetail = 0.0
  /// Proportional by resident bytes at the last look: what the metric `pss` is made of between looks.
  private var proportionalShare: Double?

  /// A recording that has not begun.
  public init(target: consuming TargetSampler, options: RecordingOptions) {
    self.target = target
    self.options = options
    schedule = SampleSchedule(interval: options.interval, seed: options.seed)
    let expected = options.duration / schedule.interval + 16
    let capacity = options.historyCapacity
    history = SampleHistory(capacity: expected < Double(capacity) ? Int(expected) : capacity)
  }

  /// Why the last look at the details was not taken, or not at every process; `nil` when all is well.
  public var detailsFailure: ProcessMemoryError? { target.detailsFailure }

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
      switch clock.wait(until: min(due, options.duration)) {
      case .due:
        if let end = takeSample(clock, onSample) { return end }
        if clock.elapsed >= options.duration { return .durationReached }
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
    _ clock: borrowing some RecordingClock & ~Copyable,
    _ onSample: (RecordedSample, borrowing MemoryRecorder) -> Void
  ) -> RecordingEnd? {
    var sample = RecordedSample(
      elapsed: clock.elapsed, unixTime: clock.unixTime, processID: target.processID, reading: nil)
    do throws(ProcessMemoryError) {
      sample.reading = try target.sample()
      if lookAtDetails(sample.elapsed) {
        sample.details = target.details
        // The shares are new: the reading is made again by them, so that it fits the details beside it.
        sample.reading = try target.sample()
      }
      if options.metric == .heap { sample.heapBytes = try options.readLiveHeap?() }
      note(sample)
    } catch {
      switch error {
      case .processEnded, .noSuchProcess: return .targetEnded
      case .processReplaced: return .targetReplaced
      default:
        failedCount += 1
        lastFailure = error
        sample.reading = nil
      }
    }
    sampleCount += 1
    onSample(sample, self)
    return nil
  }

  /// Looks at the details when it is time, or when processes came or went: not so often that it would show.
  private mutating func lookAtDetails(_ elapsed: Double) -> Bool {
    guard let interval = options.detailInterval else { return false }
    guard elapsed >= nextDetail || (target.treeHasChanged && elapsed >= nextDetail - interval * 0.9) else {
      return false
    }
    target.readDetails(budget: options.detailBudget)
    let took = target.details?.readDuration ?? .zero
    let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
    // At most a thousandth of the time: what a look costs the target must not become what is measured.
    nextDetail = elapsed + max(interval, seconds * 1000)
    guard target.detailsFailure == nil, let details = target.details else { return false }
    detailCost = (detailCost.count + 1, detailCost.duration + took)
    if details.residentBytes > 0 {
      proportionalShare = Double(details.proportionalBytes) / Double(details.residentBytes)
    }
    return true
  }

  private mutating func note(_ sample: RecordedSample) {
    guard let reading = sample.reading else { return }
    peakResidentBytes = max(peakResidentBytes, reading.usage.residentBytes, reading.usage.peakResidentBytes ?? 0)
    if first == nil { first = sample }
    last = sample
    if reading.isStopped {
      stoppedCount += 1
    } else if let bytes = judgedBytes(sample, reading) {
      history.append(elapsed: sample.elapsed, bytes: bytes)
    }
  }

  private func judgedBytes(_ sample: RecordedSample, _ reading: TargetReading) -> Double? {
    switch options.metric {
    case .footprint: Double(reading.footprintBytes)
    case .rss: Double(reading.usage.residentBytes)
    case .pss: proportionalShare.map { Double(reading.usage.residentBytes) * $0 }
    case .heap: sample.heapBytes.map(Double.init)
    }
  }
}
