// Floor 5, memory: measuring, and judging the measure.

/// How much memory something may take.
struct MemoryRule {
  /// For how long what is released late is waited for.
  private static let patience = Duration.seconds(1)

  var measure: MemoryMeasure
  var limit: MemoryAmount
  var scope: AllocationScope
  var ignored: IgnoredTypes

  func judge(_ site: CallSite, _ body: () throws -> Void) rethrows -> Bool {
    guard let measuring = MemoryMeasuring(self) else {
      try body()
      return notMeasured(site)
    }
    try body()
    measuring.endBody()
    var backoff = Backoff(upTo: Self.patience)
    while measure == .retained, measuring.isAboveLimit, let pause = backoff.pause() { ThreadSleep.sleep(pause) }
    return measuring.conclude(isOnThisThread: true, at: site)
  }

  nonisolated(nonsending) func judge(
    _ site: CallSite, _ body: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> Bool {
    guard let measuring = MemoryMeasuring(self) else {
      try await body()
      return notMeasured(site)
    }
    try await body()
    measuring.endBody()
    var backoff = Backoff(upTo: Self.patience)
    while measure == .retained, measuring.isAboveLimit, let pause = backoff.pause() {
      await pause.pass()
    }
    return measuring.conclude(isOnThisThread: false, at: site)
  }

  private func notMeasured(_ site: CallSite) -> Bool {
    Finding.warning("memory was not checked: \(AllocationSupport.reason)", at: site)
    return true
  }
}
