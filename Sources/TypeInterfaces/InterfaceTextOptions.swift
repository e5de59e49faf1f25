/// How a declaration is written.
public struct InterfaceTextOptions: Sendable {
  /// Whether sizes and offsets stand behind stored properties, as comments.
  public var showsOffsets = false
  /// Whether lines above the members say what kind they are. Left out where there is one kind only.
  public var showsSections = true

  /// How a declaration is written by default.
  public init() {}
}
