/// A frame of a stack before it has a name.
public struct UnwoundFrame: Hashable, Sendable {
  /// Where the frame goes on.
  public let address: UInt64
  /// The stack pointer in it.
  public let stackPointer: UInt64
  /// `rbp` in it; 0 where it is not known.
  public let framePointer: UInt64
  /// `r14` in it, where a running asynchronous function has its context; 0 where it is not known.
  public let contextRegister: UInt64
  /// Whether `address` is where a call returns to, so that the call itself is one byte before. False for the innermost frame, and
  /// for one that a signal interrupted.
  public let isReturnAddress: Bool
  /// Found without unwind information, by the frame pointer or a guess: frames between this one and the one before may be
  /// missing.
  public let isGuessed: Bool

  /// The address that is in the function, and in the call where it is one.
  var lookedUp: UInt64 { isReturnAddress ? address &- 1 : address }
}

/// A stack before it has names: frames from the innermost out.
public struct UnwoundStack: Hashable, Sendable {
  /// The frames.
  public let frames: [UnwoundFrame]
  /// Why there are no more.
  public let end: StackEnd
}
