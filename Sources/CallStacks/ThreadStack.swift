/// The stack of a thread of another process.
public struct ThreadStack: Hashable, Sendable {
  /// The thread's id; that of the main thread is the process's.
  public let id: Int32
  /// The thread's name, at most 15 bytes.
  public let name: String
  /// What it was doing.
  public let state: ThreadState
  /// How long it was held still, from the order to stop to the order to go on.
  public let stopped: Duration
  /// Its frames.
  public let stack: SymbolicatedStack
}

extension ThreadStack: Encodable {
  private enum CodingKeys: String, CodingKey {
    case id, name, state, frames, end
    case stopped = "stopped_ns"
  }

  /// Writes the form that the tools promise.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(id, forKey: .id)
    try values.encode(name, forKey: .name)
    try values.encode(state.description, forKey: .state)
    let (seconds, attoseconds) = stopped.components
    try values.encode(seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000, forKey: .stopped)
    try values.encode(stack.frames, forKey: .frames)
    try values.encode(stack.end, forKey: .end)
  }
}
