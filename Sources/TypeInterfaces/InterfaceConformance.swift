/// That a type conforms to a protocol.
public struct InterfaceConformance: Codable, Hashable, Sendable {
  /// The protocol, without its module.
  public var name: String
  /// The module that declares the protocol.
  public var module: String
  /// What must hold for it: `A: Equatable`.
  public var constraints: [String]

  /// That a type conforms to a protocol.
  public init(name: String, module: String, constraints: [String] = []) {
    (self.name, self.module, self.constraints) = (name, module, constraints)
  }
}
