// What is known of a Swift type's declaration, as a value. Reading it is `InterfaceSource`, writing it `TypeInterface+Text`.

/// The declaration of a Swift type, put together from what the compiler leaves in a program: the descriptors and reflection
/// records of types, the list of conformances, and the names of symbols.
///
/// ```swift
/// print(try TypeInterface(of: Order.self).text())
/// for type in try TypeInterface.all(in: "/usr/bin/shop") { print(type.text()) }
/// ```
///
/// Names are written without their modules. Generic parameters have the demangler's names (`A`, `B`; `A1` for those of a
/// member or an inner type), since no program keeps the ones of the source. What could not be known is in ``gaps``.
public struct TypeInterface: Codable, Hashable, Sendable {
  /// What kind of type it is.
  public enum Kind: String, Codable, Sendable {
    case `struct`, `enum`, `class`, actor, `protocol`
    /// What is added to a type of another image.
    case `extension`
  }

  /// The module that declares the type.
  public var module: String
  /// The name, with the types it is nested in: `Order.Status`.
  public var name: String
  /// What kind of type it is.
  public var kind: Kind
  /// Whether it is `private` or `fileprivate`; the two look the same.
  public var isPrivate = false
  /// Whether it is declared within a function.
  public var isLocal = false
  /// Whether its values cannot be copied; `false` where that is not known.
  public var isNoncopyable = false
  /// The generic parameters, those of the types around it included.
  public var genericParameters: [String] = []
  /// What is asked of them: `A: Hashable`. For a protocol, of those that conform: `Self.Item: Hashable`.
  public var constraints: [String] = []
  /// The class it inherits from.
  public var superclass: String?
  /// The protocols it conforms to, or that a protocol refines, by name.
  public var conformances: [InterfaceConformance] = []
  /// The associated types of a protocol, by name.
  public var associatedTypes: [String] = []
  /// Sizes; `nil` where they are not known, as for every generic type.
  public var layout: InterfaceLayout?
  /// The stored properties in the order of the source, inherited ones left out.
  public var storedProperties: [StoredProperty] = []
  /// The cases of an enum: those with payloads first, each group in the order of the source.
  public var cases: [InterfaceCase] = []
  /// What the type's own module declares in it, extensions without constraints included.
  public var members: [InterfaceMember] = []
  /// What extensions with constraints, and those of other modules, add to it.
  public var extensions: [InterfaceExtension] = []
  /// Closures and functions within its members; only where they were asked for.
  public var localFunctions: [String] = []
  /// What could not be known.
  public var gaps: [InterfaceGap] = []

  /// The module and the name: `Shop.Order.Status`.
  public var qualifiedName: String { module.isEmpty ? name : module + "." + name }

  /// A type of which nothing is known but its name.
  public init(module: String, name: String, kind: Kind) {
    (self.module, self.name, self.kind) = (module, name, kind)
  }
}
