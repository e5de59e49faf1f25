/// A place in the source, as debug information has it.
public struct SourceFrame: Hashable, Sendable, Codable {
  /// The mangled name of the function the place is in; `nil` where debug information does not tell.
  public let symbol: String?
  /// The file, as the compiler was given it; `nil` for code that the compiler made up.
  public let file: String?
  /// The line, from 1; `nil` for code that the compiler made up.
  public let line: Int?
  /// The column, from 1.
  public let column: Int?
  /// The function has no frame of its own: it was inlined into the one that follows.
  public let isInlined: Bool
}
