/// A stored property.
public struct StoredProperty: Codable, Hashable, Sendable {
  /// How it refers to an object, where it is not strongly.
  public enum Reference: String, Codable, Sendable {
    case weak, unowned
    case unmanaged = "unowned(unsafe)"
  }

  /// The name in the source: without what stands for laziness or a wrapper.
  public var name: String
  /// The type, or that of the wrapped value; `nil` where it could not be read.
  public var type: String?
  /// Whether it is a `var`; `nil` where only a symbol is known.
  public var isVariable: Bool?
  /// Whether it is `private` or `fileprivate`, where a symbol tells.
  public var isPrivate = false
  /// Whether it is lazy; its storage is an optional.
  public var isLazy = false
  /// The type of the property wrapper: `Clamped<Int>`.
  public var wrapper: String?
  /// How it refers to an object; `nil` for strong references and for values.
  public var reference: Reference?
  /// Bytes from the start of the value or the object; `nil` where it is not known.
  public var offset: UInt64?
  /// Bytes of its storage; `nil` where it is not known.
  public var size: UInt64?

  /// The declaration: `weak var latest: Order?`.
  public var declaration: String {
    var words: [String] = []
    if let wrapper { words.append("@" + wrapper) }
    if isPrivate { words.append("private") }
    if isLazy { words.append("lazy") }
    if let reference { words.append(reference.rawValue) }
    words.append(isVariable == false ? "let" : "var")
    words.append(SourceName.quoted(name) + (type.map { ": " + $0 } ?? ": Any /* of an unknown type */"))
    return words.joined(separator: " ")
  }
}
