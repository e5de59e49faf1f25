/// Where two types part: the first place, from the outside in and from left to right.
public struct TypeDifference: Sendable, Equatable, CustomStringConvertible {
  /// Which part differs.
  public enum Aspect: String, Sendable, Equatable {
    case qualifiers, type, count, tag, members, memberName = "member name", width, arguments
    case className = "class"
  }

  /// The way to the part, outermost first: `struct CGRect`, `member 2 (size)`, `element`.
  public let path: [String]
  /// What differs there.
  public let aspect: Aspect
  /// The part in the type that was asked.
  public let here: String
  /// The part in the other type.
  public let there: String
  /// Where the part is in the one text, in bytes.
  public let range: Range<Int>
  /// Where the part is in the other text, in bytes.
  public let otherRange: Range<Int>

  /// The difference on one line: `struct CGRect, member 2: type is double, was float`.
  public var description: String {
    (path.isEmpty ? "" : path.joined(separator: ", ") + ": ") + "\(aspect.rawValue) is \(here), was \(there)"
  }
}

extension EncodedType {
  /// The first part in which this type differs from another, `nil` where they say the same.
  ///
  /// Compares what is encoded, not how: `r^i` of clang and `^ri` of GCC are the same type, and a name that one of the
  /// two does not keep is no difference.
  public func difference(from other: EncodedType) -> TypeDifference? {
    var comparison = TypeComparison()
    return comparison.compare(self, other)
  }
}

extension TypeEncoding {
  /// The first part in which this encoding differs from another; see ``EncodedType/difference(from:)``.
  public func difference(from other: TypeEncoding) -> TypeDifference? { type.difference(from: other.type) }
}

private struct TypeComparison {
  private var path: [String] = []

  mutating func compare(_ one: EncodedType, _ other: EncodedType) -> TypeDifference? {
    let words = (Self.qualifiers(one), Self.qualifiers(other))
    if words.0 != words.1 {
      return difference(.qualifiers, one, other, words.0.isEmpty ? "none" : words.0, words.1.isEmpty ? "none" : words.1)
    }
    switch (one.kind, other.kind) {
    case (.unknown, .unknown), (.function, .function): return nil
    case (.scalar(let a), .scalar(let b)) where a == b: return nil
    case (.characterPointer(let a), .characterPointer(let b)) where a == b: return nil
    case (.pointer(let a), .pointer(let b)): return inside("pointee", a, b)
    case (.atomic(let a), .atomic(let b)): return inside("atomic value", a, b)
    case (.complex(let a), .complex(let b)): return inside("part", a, b)
    case (.object(let a), .object(let b)):
      guard a.className != nil || !a.protocols.isEmpty, b.className != nil || !b.protocols.isEmpty else { return nil }
      return a == b ? nil : difference(.className, one, other)
    case (.array(let a, let element), .array(let b, let otherElement)):
      if a != b { return difference(.count, one, other, Self.text(a), Self.text(b)) }
      return inside("element", element, otherElement)
    case (.vector(let a, _, let element), .vector(let b, _, let otherElement)):
      if a != b { return difference(.count, one, other, "\(a) bytes", "\(b) bytes") }
      return inside("element", element, otherElement)
    case (.bitField(let a), .bitField(let b)):
      return a.width == b.width ? nil : difference(.width, one, other, "\(a.width)", "\(b.width)")
    case (.block(let a), .block(let b)): return blocks(one, other, a, b)
    case (.record(let a), .record(let b)) where a.isUnion == b.isUnion: return records(one, other, a, b)
    default: return difference(.type, one, other)
    }
  }

  private mutating func blocks(_ one: EncodedType, _ other: EncodedType, _ a: BlockShape?, _ b: BlockShape?)
    -> TypeDifference?
  {
    guard let a, let b else { return nil }
    if let found = inside("result", a.result, b.result) { return found }
    let arguments = (a.arguments, b.arguments)
    for (number, pair) in zip(arguments.0, arguments.1).enumerated() {
      if let found = inside("argument \(number + 1)", pair.0, pair.1) { return found }
    }
    guard arguments.0.count == arguments.1.count else {
      return difference(.arguments, one, other, "\(arguments.0.count)", "\(arguments.1.count)")
    }
    return nil
  }

  private mutating func records(_ one: EncodedType, _ other: EncodedType, _ a: RecordType, _ b: RecordType)
    -> TypeDifference?
  {
    if a.tag != b.tag { return difference(.tag, one, other, a.tag ?? "none", b.tag ?? "none") }
    // Behind pointers members are left out: that is no difference.
    guard a.listsMembers, b.listsMembers else { return nil }
    let members = (a.members, b.members)
    path.append(one.declaration(style: .tagOnly))
    defer { path.removeLast() }
    for (number, pair) in zip(members.0, members.1).enumerated() {
      let step = "member \(number + 1)" + (pair.0.name.map { $0.isEmpty ? "" : " (\($0))" } ?? "")
      if let name = pair.0.name, let otherName = pair.1.name, name != otherName {
        path.append(step)
        defer { path.removeLast() }
        return difference(.memberName, pair.0.type, pair.1.type, name, otherName)
      }
      if let found = inside(step, pair.0.type, pair.1.type) { return found }
    }
    guard members.0.count == members.1.count else {
      return difference(.members, one, other, "\(members.0.count)", "\(members.1.count)")
    }
    return nil
  }

  private mutating func inside(_ step: String, _ one: EncodedType, _ other: EncodedType) -> TypeDifference? {
    path.append(step)
    defer { path.removeLast() }
    return compare(one, other)
  }

  private func difference(
    _ aspect: TypeDifference.Aspect, _ one: EncodedType, _ other: EncodedType, _ here: String? = nil,
    _ there: String? = nil
  ) -> TypeDifference {
    TypeDifference(
      path: path, aspect: aspect, here: here ?? one.declaration(), there: there ?? other.declaration(),
      range: one.range, otherRange: other.range)
  }

  private static func text(_ count: UInt64?) -> String { count.map(String.init) ?? "none" }

  private static func qualifiers(_ type: EncodedType) -> String {
    let words = type.qualifiers
    return (TypeQualifier.leading.filter(words.contains).compactMap(\.keyword) + (type.isConst ? ["const"] : []))
      .joined(separator: " ")
  }
}

extension DeclarationStyle {
  fileprivate static let tagOnly = DeclarationStyle()
}
