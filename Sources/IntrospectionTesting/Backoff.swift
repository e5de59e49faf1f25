// Floor 5: how long an assertion waits for what happens elsewhere.

/// Pauses of 1, 2, 4 … ms up to 64 ms, until a time is up.
///
/// The first are short, since nearly every late `deinit` is late by one hop to another thread; the last are no longer than a
/// person would wait for. Under a second there are some 20 looks.
///
/// What counts is the sum of the pauses and not the clock: where threads are short, as in a suite of parallel tests, pauses take longer,
/// and so does what is waited for.
struct Backoff {
  private var next = Duration.milliseconds(1)
  private var left: Duration

  init(upTo limit: Duration) { left = limit }

  /// The next pause; `nil` when the time is up.
  mutating func pause() -> Duration? {
    guard left > .zero else { return nil }
    let pause = min(next, left)
    left -= pause
    next = min(next * 2, .milliseconds(64))
    return pause
  }
}
