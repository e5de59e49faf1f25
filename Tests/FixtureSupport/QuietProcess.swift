import Foundation

extension ChildProcess {
  /// What the scheduler has counted for each thread, and its state: `nil` once the process has ended.
  ///
  /// While nothing of it changes and every thread sleeps, the process has done nothing.
  public var schedulerRecord: [String]? {
    let folder = "/proc/\(processID)/task"
    guard let threads = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
    return threads.sorted().compactMap { thread in
      guard let status = try? String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8) else { return nil }
      let lines = status.split(separator: "\n").filter { $0.hasPrefix("State:") || $0.contains("ctxt_switches:") }
      return (lines + [Substring(thread)]).joined(separator: " ")
    }
  }

  /// Waits until the process has arrived where it waits: every thread sleeps, and none has run for 60 ms. A machine that is busy
  /// with other tests makes this take longer, and not come out differently: whoever waits for a processor does not sleep.
  ///
  /// - Returns: whether it came to that within 30 s.
  @discardableResult
  public func waitUntilQuiet() -> Bool {
    let end = Date() + 30
    var last = schedulerRecord
    while Date() < end {
      usleep(60_000)
      let now = schedulerRecord
      if let now, now == last, now.allSatisfy({ $0.contains("(sleeping)") }) { return true }
      last = now
    }
    return false
  }
}
