/// How a declaration is written.
public struct InterfaceTextOptions: Sendable {
  /// Whether sizes and offsets stand behind stored properties, as comments.
  public var showsOffsets = false

  /// How a declaration is written by default.
  public init() {}
}
