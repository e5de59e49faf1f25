/// An object's class and protocols, where the encoding keeps them.
public struct ObjectType: Sendable, Equatable {
  /// The class as it is written, `nil` for `id`.
  public let className: String?
  /// The protocols, in order.
  public let protocols: [String]

  init(quoted: Substring?) {
    guard let quoted else {
      className = nil
      protocols = []
      return
    }
    let angle = quoted.utf8.firstIndex(of: UInt8(ascii: "<")) ?? quoted.endIndex
    className = angle == quoted.startIndex ? nil : String(quoted[..<angle])
    protocols = Self.protocols(in: quoted[angle...])
  }

  /// The names in `<A><B>` or `<A,B>`; a name may have angle brackets of its own.
  private static func protocols(in text: Substring) -> [String] {
    var names: [String] = []
    var level = 0
    var start = text.startIndex
    func add(_ end: Substring.Index) {
      let name = text[start..<end].drop { $0 == " " }
      if !name.isEmpty { names.append(String(name)) }
    }
    for index in text.utf8.indices {
      switch text.utf8[index] {
      case UInt8(ascii: "<"):
        level += 1
        if level == 1 { start = text.utf8.index(after: index) }
      case UInt8(ascii: ">"):
        if level == 1 { add(index) }
        level -= 1
      case UInt8(ascii: ",") where level == 1:
        add(index)
        start = text.utf8.index(after: index)
      default: break
      }
    }
    return names
  }

  /// The class for a reader: Swift's mangled names read `main.Foo`.
  public var readableClassName: String? { className.map { SwiftClassName.readable($0) ?? $0 } }
}

/// A bit-field's width, and what GNU compilers say besides.
public struct BitField: Sendable, Equatable {
  /// Bits.
  public let width: UInt64
  /// Bits from the beginning of the record, in GNU encodings.
  public let position: UInt64?
  /// The declared type, in GNU encodings.
  public let storage: ScalarType?

  init(width: UInt64, position: UInt64? = nil, storage: ScalarType? = nil) {
    self.width = width
    self.position = position
    self.storage = storage
  }

  /// The type to declare it with: the one that is encoded, or else the smallest unsigned one that `width` bits fit.
  public var declaredType: String {
    width > 128 && storage == nil ? "unsigned _BitInt(\(width))" : storageType.declaration
  }
}

/// A struct or a union.
public struct RecordType: Sendable {
  let type: EncodedType

  /// Whether all members share one place.
  public var isUnion: Bool { type.node.code == UInt8(ascii: "(") }

  /// The tag as it is written, C++ templates included; `nil` for a record without one.
  public var tag: String? {
    let text = type.tree.text(type.node.start + 1, type.node.payload)
    return text == "?" || text.isEmpty ? nil : String(text)
  }

  /// Whether the encoding lists members, be it none. Behind two pointers clang leaves them out; a record that is declared
  /// and not defined lists none.
  public var listsMembers: Bool { type.node.flags.contains(.hasMembers) }

  /// The members, in order.
  public var members: [RecordMember] {
    var result: [RecordMember] = []
    var index = type.index + 1
    let end = Int(type.node.next)
    while index < end {
      let node = type.tree.nodes[index]
      var name: String?
      if node.kind == .name {
        name = String(type.tree.text(node.start + 1, node.payload))
        index += 1
      }
      let member = EncodedType(tree: type.tree, index: index)
      result.append(RecordMember(name: name, type: member))
      index = Int(type.tree.nodes[index].next)
    }
    return result
  }
}

/// A member of a struct or a union.
public struct RecordMember: Sendable {
  /// The name, `nil` where the encoding keeps none, empty for a member that has none.
  public let name: String?
  /// The type.
  public let type: EncodedType
}

/// What a block takes and gives.
public struct BlockShape: Sendable {
  let type: EncodedType

  /// The result.
  public var result: EncodedType { EncodedType(tree: type.tree, index: type.index + 1) }

  /// The arguments after the block itself.
  public var arguments: [EncodedType] {
    var result: [EncodedType] = []
    var index = Int(type.tree.nodes[type.index + 1].next)
    while index < Int(type.node.next) {
      result.append(EncodedType(tree: type.tree, index: index))
      index = Int(type.tree.nodes[index].next)
    }
    return result
  }
}
