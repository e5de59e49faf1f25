/// Why a stack has no more frames.
public enum StackEnd: String, Sendable, Codable {
  /// The outermost frame was reached.
  case complete
  /// As many frames as were asked for; there are more.
  case limit
  /// No unwind information, or a damaged stack: there are more frames, and they could not be found.
  case broken
}
