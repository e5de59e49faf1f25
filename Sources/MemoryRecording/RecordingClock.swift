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
