import FixtureSupport
import MemoryRecording
import ProcessMemory
import Testing

/// A clock on which every wait is over at once, with events planned for some of the waits.
struct PlannedClock: RecordingClock {
  private(set) var elapsed = 0.0
  var unixTime: Double { 1_800_000_000 + elapsed }
  /// What the n-th wait ends with, and what is done before.
  var plan: [Int: (RecordingWake, () -> Void)] = [:]
  private(set) var waits = 0

  mutating func wait(until moment: Double) -> RecordingWake {
    waits += 1
    if let (wake, action) = plan[waits] {
      action()
      if wake != .due { return wake }
    }
    elapsed = max(elapsed, moment)
    return .due
  }
}

@Suite struct MemoryRecorderTests {
  private func recorder(_ tree: TemporaryTree, duration: Double) throws -> MemoryRecorder {
    write(tree, anonymousKilobytes: 100)
    var options = RecordingOptions()
    options.duration = duration
    return MemoryRecorder(
      target: try TargetSampler(processID: 7, root: ProcRoot(path: tree.path + "/proc")), options: options)
  }

  private func write(_ tree: TemporaryTree, anonymousKilobytes: Int, startTime: Int = 99) {
    tree.write("proc/7/stat", "7 (x) S 1 1 1 0 -1 0 5 0 6 0 0 0 0 0 20 0 1 0 \(startTime) 0 0\n")
    tree.write(
      "proc/7/status",
      """
      Name:\tx\nState:\tS (sleeping)\nVmHWM:\t900 kB\nVmRSS:\t\(anonymousKilobytes) kB
      RssAnon:\t\(anonymousKilobytes) kB\nThreads:\t3\n
      """)
  }

  @Test func theFirstSampleIsTakenAtOnceAndTheLastAtTheEnd() throws {
    let tree = TemporaryTree()
    var recorder = try recorder(tree, duration: 10)
    var clock = PlannedClock()
    var times: [Double] = []
    let end = recorder.run(clock: &clock, onSample: { sample, _ in times.append(sample.elapsed) })
    #expect(end == .durationReached)
    #expect(times.first == 0)
    #expect(times.last == 10)
    #expect((11...12).contains(times.count))
    #expect(recorder.peakResidentBytes == 900 * 1024)
    #expect(recorder.history.points.count == times.count)
  }

  @Test func everyEndIsToldApart() throws {
    let tree = TemporaryTree()
    var stopped = try recorder(tree, duration: 100)
    var clock = PlannedClock(plan: [3: (.stopRequested(signal: 2), {})])
    #expect(stopped.run(clock: &clock, onSample: { _, _ in }) == .stopRequested(signal: 2))
    // The moment of asking is part of the record.
    #expect(stopped.sampleCount == 4)

    var ended = try recorder(tree, duration: 100)
    clock = PlannedClock(plan: [5: (.targetEnded, {})])
    #expect(ended.run(clock: &clock, onSample: { _, _ in }) == .targetEnded)
    #expect(ended.sampleCount == 5)

    var replaced = try recorder(tree, duration: 100)
    clock = PlannedClock(plan: [5: (.due, { write(tree, anonymousKilobytes: 5, startTime: 100) })])
    #expect(replaced.run(clock: &clock, onSample: { _, _ in }) == .targetReplaced)
    #expect(replaced.last?.usage?.anonymousBytes == 100 * 1024)
  }

  @Test func aSampleThatCannotBeReadIsAGapAndNotTheEnd() throws {
    let tree = TemporaryTree()
    var recorder = try recorder(tree, duration: 6)
    var clock = PlannedClock(plan: [
      2: (.due, { tree.write("proc/7/status", "Name:\tx\nnonsense\n") }),
      3: (.due, { write(tree, anonymousKilobytes: 300) }),
    ])
    var samples: [RecordedSample] = []
    #expect(recorder.run(clock: &clock, onSample: { sample, _ in samples.append(sample) }) == .durationReached)
    #expect(samples.map { $0.usage == nil }.filter { $0 }.count == 1)
    #expect(recorder.failedCount == 1)
    #expect(recorder.lastFailure?.description.contains("status") == true)
    #expect(recorder.history.points.count == samples.count - 1)
    #expect(recorder.last?.usage?.footprintBytes == 300 * 1024)
  }

  @Test func aStoppedTargetIsNotJudgedCalm() throws {
    let tree = TemporaryTree()
    var recorder = try recorder(tree, duration: 9)
    func setState(_ state: String) {
      tree.write("proc/7/status", "Name:\tx\nState:\t\(state)\nVmRSS:\t64 kB\nRssAnon:\t32 kB\nThreads:\t3\n")
    }
    var clock = PlannedClock(plan: [3: (.due, { setState("T (stopped)") }), 6: (.due, { setState("S (sleeping)") })])
    var samples: [RecordedSample] = []
    _ = recorder.run(clock: &clock, onSample: { sample, _ in samples.append(sample) })
    #expect(recorder.stoppedCount == 3)
    #expect(recorder.history.points.count == samples.count - 3)
    // The rows are written all the same.
    #expect(samples.allSatisfy { $0.reading != nil })
  }

  @Test func theDetailsAreLookedAtNowAndThen() throws {
    let tree = TemporaryTree()
    write(tree, anonymousKilobytes: 100)
    tree.write("proc/7/smaps_rollup", "Rss: 100 kB\nPss: 50 kB\nPss_Anon: 50 kB\nAnonymous: 100 kB\nLazyFree: 20 kB\n")
    var options = RecordingOptions()
    options.duration = 100
    options.detailInterval = 10
    options.metric = .pss
    var recorder = MemoryRecorder(
      target: try TargetSampler(processID: 7, root: ProcRoot(path: tree.path + "/proc")), options: options)
    var clock = PlannedClock()
    var looks = 0
    _ = recorder.run(clock: &clock, onSample: { sample, _ in looks += sample.details == nil ? 0 : 1 })
    #expect((9...11).contains(looks))
    #expect(recorder.detailCost.count == looks)
    #expect(recorder.history.points.allSatisfy { $0.bytes == 51_200 })
    #expect(recorder.last?.reading?.footprintBytes == 80 * 1024)
  }

  @Test func aResizedTerminalChangesNothing() throws {
    let tree = TemporaryTree()
    var recorder = try recorder(tree, duration: 4)
    var clock = PlannedClock(plan: [2: (.attention, {}), 3: (.attention, {})])
    var redrawn = 0
    let end = recorder.run(clock: &clock, onSample: { _, _ in }, onAttention: { _ in redrawn += 1 })
    #expect(end == .durationReached)
    #expect(redrawn == 2)
    #expect((5...6).contains(recorder.sampleCount))
  }

  /// A recording of a day and more neither grows nor slows: what it holds is taken at the start.
  @Test func tenToTheFifthSamplesTakeNoFurtherMemory() throws {
    var options = RecordingOptions()
    options.duration = 100_000
    var recorder = MemoryRecorder(
      target: try TargetSampler(processID: ProcessIdentity.currentProcessID), options: options)
    var clock = PlannedClock()
    var file = try RecordingFile(creatingAt: "/dev/null", overwriting: true)
    var lengths: Set<Int> = []
    let end = recorder.run(
      clock: &clock,
      onSample: { sample, recorder in
        file.append(sample)
        if recorder.sampleCount.isMultiple(of: 1000) { lengths.insert(recorder.history.points.count) }
      })
    #expect(end == .durationReached)
    #expect(recorder.sampleCount >= 100_000)
    #expect(lengths.max() ?? .max <= SampleHistory.defaultCapacity)
    #expect(recorder.history.stride == 4)
  }
}
