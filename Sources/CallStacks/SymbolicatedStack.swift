/// A stack with names, from the innermost frame out.
///
/// In a task, the callers that await come right after the frame of the asynchronous function; the executor's frames are last.
public struct SymbolicatedStack: Hashable, Sendable, Codable {
  /// The frames, inlined functions among them.
  public var frames: [StackFrame]
  /// Why there are no more.
  public var end: StackEnd
  /// How many frames have no line because the time for lines was up.
  public var framesWithoutTime: Int
  /// What stood in the way of names: one sentence each.
  public var problems: [String]

  /// A stack with names.
  public init(frames: [StackFrame], end: StackEnd, framesWithoutTime: Int = 0, problems: [String] = []) {
    (self.frames, self.end) = (frames, end)
    (self.framesWithoutTime, self.problems) = (framesWithoutTime, problems)
  }
}
