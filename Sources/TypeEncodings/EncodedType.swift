/// One type of an encoding: a view into what a parser read, cheap to copy.
public struct EncodedType: Sendable {
  let tree: EncodingTree
  let index: Int
  /// What a `const` of Apple's further out refers to: `r^^i` makes the `int` constant.
  let const: ConstTarget?

  init(tree: EncodingTree, index: Int, inherited: ConstTarget? = nil) {
    self.tree = tree
    self.index = index
    const = inherited ?? tree.constTarget(of: index)
  }

  var node: EncodingNode { tree.nodes[index] }

  /// What a type is.
  public enum Kind: Sendable {
    /// No encoding: clang's vectors, member pointers, `_BitInt`; Swift's fields.
    case unknown
    /// A type of one byte.
    case scalar(ScalarType)
    /// `*`: a pointer to characters.
    case characterPointer(constCharacters: Bool)
    /// `^`.
    case pointer(to: EncodedType)
    /// `A`.
    case atomic(EncodedType)
    /// `j`.
    case complex(EncodedType)
    /// `@`, with the class and protocols where they are kept.
    case object(ObjectType)
    /// `@?`, with its signature in extended encodings.
    case block(signature: BlockShape?)
    /// `?`: a function, always behind a pointer in real encodings; its signature is never kept.
    case function
    /// `[n…]`; the count is missing in hand-made strings only.
    case array(count: UInt64?, of: EncodedType)
    /// `![bytes,alignment…]` of GCC.
    case vector(bytes: UInt64, alignment: UInt64, of: EncodedType)
    /// `{…}` and `(…)`.
    case record(RecordType)
    /// `b3`, `b8i3`.
    case bitField(BitField)
  }

  /// What this type is.
  public var kind: Kind {
    switch node.kind {
    case .scalar: ScalarType(rawValue: node.code).map { .scalar($0) } ?? .unknown
    case .characterPointer:
      .characterPointer(constCharacters: const == ConstTarget(node: index, isPointedTo: true))
    case .pointer: .pointer(to: child)
    case .atomic: .atomic(child)
    case .complex: .complex(child)
    case .object: .object(ObjectType(quoted: tree.className(of: index)))
    case .block: .block(signature: node.flags.contains(.hasSignature) ? BlockShape(type: self) : nil)
    case .function: .function
    case .array: .array(count: tree.number(at: node.start + 1, digits: node.payload), of: child)
    case .vector:
      .vector(bytes: tree.vectorNumbers(of: index).bytes, alignment: tree.vectorNumbers(of: index).alignment, of: child)
    case .record: .record(RecordType(type: self))
    case .bits: .bitField(tree.bitField(of: index))
    case .none, .name, .offset: .unknown
    }
  }

  /// The dialect it is read in.
  public var dialect: EncodingDialect { tree.dialect }

  /// Whether the type itself is constant, as its dialect has it. Pointers to constants are not.
  public var isConst: Bool {
    if node.kind == .characterPointer, tree.dialect == .gcc { return node.qualifiers.constCount > 1 }
    return const == ConstTarget(node: index, isPointedTo: false)
      || tree.dialect == .gcc && node.kind != .array && node.kind != .characterPointer && node.qualifiers.hasConst
  }

  /// The qualifiers written before this type, in their order. For `const`, ask ``isConst``: where Apple writes it is not
  /// where it belongs.
  public var qualifiers: [TypeQualifier] { node.qualifiers.all }

  /// Where the type is in the text, in bytes, qualifiers included.
  public var range: Range<Int> { Int(node.start) - node.qualifiers.all.count..<Int(node.end) }

  /// The piece of the text that encodes this type.
  public var text: String {
    let range = range
    return String(tree.text(UInt32(range.lowerBound), UInt32(range.count)))
  }

  /// The pointee, the element, or the result.
  var child: EncodedType {
    let inner = index + 1
    return EncodedType(tree: tree, index: inner, inherited: const.flatMap { $0.node >= inner ? $0 : nil })
  }
}

extension EncodedType: Equatable {
  /// Two types are equal when they were written alike, in dialects that read them alike.
  public static func == (one: EncodedType, other: EncodedType) -> Bool {
    // What is constant may stand further in, and may be said further out.
    let isConstAlike = one.const.map { $0.node - one.index } == other.const.map { $0.node - other.index }
    return isConstAlike && (one.tree.dialect == .gcc) == (other.tree.dialect == .gcc) && one.text == other.text
  }
}

/// A `const`, and what it makes constant.
struct ConstTarget: Equatable, Sendable {
  var node: Int
  /// The characters behind a `*`, and not the pointer.
  var isPointedTo: Bool
}

extension EncodingTree {
  /// What the `r` before the node at `index` makes constant; `nil` without one.
  ///
  /// clang writes one `r` for a whole type and looks through its pointers and then through arrays; GCC writes each where
  /// it belongs, and an array's belongs to the elements.
  func constTarget(of index: Int) -> ConstTarget? {
    guard nodes[index].qualifiers.hasConst else { return nil }
    var target = index
    if dialect != .gcc {
      while nodes[target].kind == .pointer { target += 1 }
    }
    let isBehindArray = nodes[target].kind == .array
    while nodes[target].kind == .array { target += 1 }
    if nodes[target].kind == .characterPointer { return ConstTarget(node: target, isPointedTo: !isBehindArray) }
    return ConstTarget(node: target, isPointedTo: false)
  }

  /// The text in the quotes of an object.
  func className(of index: Int) -> Substring? {
    let node = nodes[index]
    return node.flags.contains(.hasClass) ? text(node.start + 2, node.payload) : nil
  }

  func vectorNumbers(of index: Int) -> (bytes: UInt64, alignment: UInt64) {
    let node = nodes[index]
    let parts = text(node.start + 2, node.end - node.start - 2).split(separator: ",", maxSplits: 1)
    guard parts.count == 2 else { return (0, 0) }
    return (UInt64(parts[0]) ?? 0, UInt64(parts[1].prefix { $0.isASCII && $0.isNumber }) ?? 0)
  }

  func bitField(of index: Int) -> BitField {
    let node = nodes[index]
    let digits = text(node.start + 1, node.end - node.start - 1)
    guard node.flags.contains(.isPositioned) else { return BitField(width: UInt64(digits) ?? 0) }
    let position = digits.prefix { $0.isASCII && $0.isNumber }
    let width = digits.dropFirst(position.count + 1)
    return BitField(
      width: UInt64(width) ?? 0, position: UInt64(position), storage: ScalarType(rawValue: node.code))
  }
}
