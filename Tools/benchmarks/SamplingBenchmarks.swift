// The cost of a sample, and of leak-trend as a whole.

import BenchmarkFloors
import Glibc
import MeasurementText
import MemoryRecording
import ProcessMemory

enum SamplingBenchmarks {
  static func run(_ arguments: [String]) {
    sampleAgainstBareReads()
    recordingSize()
    toolCost()
  }

  /// One `MemorySampler` sample against a bare `pread` of the same two files in C.
  private static func sampleAgainstBareReads() {
    let pid = ProcessIdentity.currentProcessID
    let status = open("/proc/\(pid)/status", O_RDONLY)
    let stat = open("/proc/\(pid)/stat", O_RDONLY)
    defer {
      close(status)
      close(stat)
    }
    let times = 2000
    guard var sampler = try? MemorySampler(processID: pid) else { return print("  cannot sample this process") }
    var footprint: UInt64 = 0
    let (ours, floor, ratio) = PairedTiming.run(rounds: 41) {
      for _ in 0..<times { footprint &+= (try? sampler.sample().footprintBytes) ?? 0 }
    } against: {
      _ = floor_read_two_files(status, stat, Int32(times))
    }
    guard footprint > 0 else { return print("  nothing was read") }
    print(
      "  one sample \(DurationText.format(seconds: ours / Double(times))),"
        + " bare reads in C \(DurationText.format(seconds: floor / Double(times)))")
    printFigure("one sample against bare reads", ratio, limit: 1.5, unit: "x")
  }

  /// A recording of 10⁵ samples, on a clock that does not wait: what it adds to this process.
  private static func recordingSize() {
    let path = "/dev/null"
    guard let target = try? TargetSampler(processID: ProcessIdentity.currentProcessID),
      var file = try? RecordingFile(creatingAt: path, overwriting: true)
    else { return print("  cannot record this process") }
    var options = RecordingOptions()
    options.duration = 100_000
    var recorder = MemoryRecorder(target: target, options: options)
    var clock = InstantClock()
    var early: UInt64 = 0
    _ = recorder.run(
      clock: &clock,
      onSample: { sample, recorder in
        file.append(sample)
        if recorder.sampleCount == 1000 { early = sample.usage?.footprintBytes ?? 0 }
      })
    let late = recorder.last?.usage?.footprintBytes ?? 0
    let growth = Double(late) - Double(early)
    print(
      "  footprint after 1 000 samples \(ByteText.format(early)), after \(recorder.sampleCount) \(ByteText.format(late))"
    )
    printFigure("growth over 10⁵ samples", growth / 1024, limit: 64, unit: "KiB", decimals: 0)
  }

  /// leak-trend at one sample a second, watching this process for 20 seconds.
  private static func toolCost() {
    let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let tool = folder.isEmpty ? "leak-trend" : folder.joined(separator: "/") + "/leak-trend"
    for (interval, duration) in [("1s", 20.0), ("10ms", 10.0)] {
      guard
        let cost = processorTime(of: [
          tool, "--pid", "\(getpid())", "--interval", interval, "--duration", "\(Int(duration))s", "--csv", "/dev/null",
        ])
      else { return print("  \(tool) could not be run; `swift build -c release --product leak-trend` builds it") }
      let samples = interval == "1s" ? duration : duration * 100
      print(
        "  leak-trend, a sample every \(interval) for \(Int(duration)) s: \(DurationText.format(seconds: cost)) of"
          + " processor time, start and report included; \(DurationText.format(seconds: cost / samples)) a sample")
      if interval == "1s" {
        printFigure("share of one core", cost / duration * 100, limit: 0.1, unit: "%", decimals: 3)
      }
    }
  }

  /// Processor time of a program from its start to its end, in seconds; its output is thrown away.
  private static func processorTime(of arguments: [String]) -> Double? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for case let word? in words { free(word) } }
    var pid: pid_t = 0
    guard posix_spawnp(&pid, arguments[0], &actions, nil, words, environ) == 0 else { return nil }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(pid, &status, 0, &usage) == pid, status >> 8 & 0xFF == 2 else { return nil }
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
  }
}

/// A clock on which every wait is over at once.
struct InstantClock: RecordingClock {
  private(set) var elapsed = 0.0
  var unixTime: Double { 1_800_000_000 + elapsed }

  mutating func wait(until moment: Double) -> RecordingWake {
    elapsed = max(elapsed, moment)
    return .due
  }
}
