/// What a declaration is asked to have.
public struct InterfaceOptions: Sendable {
  /// Closures and functions within members. Off: they are many, and no one calls them by name.
  public var includesLocalFunctions = false

  /// What a declaration has by default.
  public init() {}
}
