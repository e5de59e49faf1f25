/// A name that a file gives to a range of its addresses.
public struct Symbol: Hashable, Sendable {
  /// What a symbol names.
  public enum Kind: String, Sendable, Codable {
    /// Code.
    case function
    /// Data: metadata, vtables, variables.
    case object
  }

  /// The name as the linker knows it, mangled; ``Demangler`` makes it readable.
  public let name: String
  /// The first address, as the file counts them: an address in memory less the image's load bias.
  public let address: UInt64
  /// Bytes. 0 for a symbol of hand-written assembly that was given no size: it is found at its address only.
  public let size: UInt64
  /// Code or data.
  public let kind: Kind

  /// A symbol.
  public init(name: String, address: UInt64, size: UInt64, kind: Kind) {
    (self.name, self.address, self.size, self.kind) = (name, address, size, kind)
  }
}
