/// A type that a file declares or extends, by name.
public struct ListedType: Hashable, Sendable, Codable {
  /// The module that declares it.
  public let module: String
  /// The name, with the types it is nested in: `Order.Status`.
  public let name: String
  /// What kind of type it is.
  public let kind: TypeInterface.Kind

  /// The module and the name: `Shop.Order.Status`.
  public var qualifiedName: String { module.isEmpty ? name : module + "." + name }

  /// Where in the source's list it is.
  let index: Int
}
