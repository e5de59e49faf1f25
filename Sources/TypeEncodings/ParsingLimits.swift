/// What a parser accepts before it gives up, so that hostile input costs little time, memory and stack.
public struct ParsingLimits: Sendable, Equatable {
  /// Levels of nesting: pointers, arrays, records, blocks, atomics. No one declares so many by hand, and a nest of
  /// templates stays far below. Nothing here recurses, so more levels cost no stack; what reads the result may.
  public var nesting = 512
  /// Bytes of one encoding. Offsets are kept in 32 bits.
  public var length = 256 << 20

  /// The defaults.
  public init() {}

  /// Limits of one's own; values beyond what 32-bit offsets can hold are lowered to it.
  public init(nesting: Int, length: Int = 256 << 20) {
    self.nesting = max(1, min(nesting, 1 << 20))
    self.length = max(0, min(length, Int(Int32.max)))
  }
}
