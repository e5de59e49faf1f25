/// What an extension adds to a type.
public struct InterfaceExtension: Codable, Hashable, Sendable {
  /// The module that has the extension.
  public var module: String
  /// What must hold for it: `A == Int`.
  public var constraints: [String]
  /// What it declares.
  public var members: [InterfaceMember]
}
