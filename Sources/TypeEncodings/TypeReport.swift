/// A type as a value that can be written as JSON: what it is, and what it is made of.
public struct TypeReport: Sendable, Equatable, Codable {
  /// A member of a record.
  public struct Member: Sendable, Equatable, Codable {
    /// Its name, absent where the encoding keeps none.
    public var name: String?
    /// Its type.
    public var type: TypeReport
  }

  /// What the type is: `pointer`, `array`, `struct`, `scalar` and so on; `unknown` without an encoding.
  public var kind: String
  /// The piece of the text that encodes it.
  public var encoding: String
  /// A scalar's name, a record's tag, an object's class.
  public var name: String?
  /// `const`, `in`, `bycopy` and the like.
  public var qualifiers: [String]?
  /// An object's protocols.
  public var protocols: [String]?
  /// An array's count.
  public var count: UInt64?
  /// A bit-field's width in bits.
  public var width: UInt64?
  /// The pointee, the element, the value of an atomic, the result of a block, in that place alone.
  public var of: [TypeReport]?
  /// A block's arguments; absent where the encoding has no signature.
  public var arguments: [TypeReport]?
  /// A record's members; absent where the encoding leaves them out.
  public var members: [Member]?

  /// Levels that are described; deeper types are given by their encoding, which bounds the stack of whoever writes them.
  public static let maximumDepth = 64

  /// Describes a type.
  public init(_ type: EncodedType) { self.init(type, level: 0) }

  private init(_ type: EncodedType, level: Int) {
    encoding = type.text
    kind = "unknown"
    let words = type.qualifiers.compactMap { $0 == .const ? nil : $0.keyword } + (type.isConst ? ["const"] : [])
    qualifiers = words.isEmpty ? nil : words
    guard level < Self.maximumDepth else {
      kind = "deeper"
      return
    }
    describe(type, level + 1)
  }

  private mutating func describe(_ type: EncodedType, _ level: Int) {
    func one(_ kind: String, _ inner: EncodedType) -> (String, [TypeReport]) {
      (kind, [TypeReport(inner, level: level)])
    }
    switch type.kind {
    case .unknown: break
    case .scalar(let scalar): (kind, name) = ("scalar", scalar.declaration)
    case .characterPointer: (kind, name) = ("pointer", "char")
    case .pointer(let pointee): (kind, of) = one("pointer", pointee)
    case .atomic(let value): (kind, of) = one("atomic", value)
    case .complex(let part): (kind, of) = one("complex", part)
    case .object(let object):
      (kind, name) = ("object", object.readableClassName)
      protocols = object.protocols.isEmpty ? nil : object.protocols
    case .block(let signature):
      kind = "block"
      of = signature.map { [TypeReport($0.result, level: level)] }
      arguments = signature?.arguments.map { TypeReport($0, level: level) }
    case .function: kind = "function"
    case .array(let elements, let element):
      (kind, of) = one("array", element)
      count = elements
    case .vector(_, _, let element): (kind, of) = one("vector", element)
    case .record(let record):
      (kind, name) = (record.isUnion ? "union" : "struct", record.tag)
      guard record.listsMembers else { return }
      members = record.members.map { Member(name: $0.name, type: TypeReport($0.type, level: level)) }
    case .bitField(let field): (kind, name, width) = ("bit-field", field.declaredType, field.width)
    }
  }
}
