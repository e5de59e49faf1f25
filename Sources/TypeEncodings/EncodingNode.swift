/// One node of a parsed encoding, in an array in the order of the text: the children of a node follow it, and `next` is
/// where the node after them begins. A pointer's pointee, an array's element and a block's result are therefore always the
/// next node, which lets declarators be written without a stack.
struct EncodingNode {
  enum Kind: UInt8 {
    /// A type without an encoding: clang's vectors and member pointers, a Swift field.
    case none
    /// One code byte, in `code`.
    case scalar
    /// `*`.
    case characterPointer
    case pointer, atomic, complex
    /// `@`, with the length of the quoted class in `payload`.
    case object
    /// `@?`; with a signature its children are the result and the arguments.
    case block
    /// `?`.
    case function
    /// The number of digits of its count is in `payload`.
    case array
    /// The length of what stands before the element, `![16,16`, is in `payload`.
    case vector
    /// `code` is `{` or `(`; the length of the tag is in `payload`.
    case record
    case bits
    /// A member's name, before the member; its length is in `payload`.
    case name
    /// A frame offset after a type of a method.
    case offset
  }

  struct Flags: OptionSet {
    let rawValue: UInt8
    /// A record with `=`.
    static let hasMembers = Flags(rawValue: 1)
    /// A record whose members have names.
    static let isNamed = Flags(rawValue: 2)
    /// A block with a signature.
    static let hasSignature = Flags(rawValue: 4)
    /// The `@?` of a block signature has been read.
    static let hasMarker = Flags(rawValue: 8)
    /// An object with a quoted class.
    static let hasClass = Flags(rawValue: 16)
    /// A bit-field with position and type.
    static let isPositioned = Flags(rawValue: 32)
    /// An offset below zero, or with a plus sign.
    static let isNegative = Flags(rawValue: 64)
    static let isRegister = Flags(rawValue: 128)
  }

  var kind: Kind
  var flags: Flags = []
  var code: UInt8 = 0
  /// The first byte of the type itself, after its qualifiers.
  var start: UInt32
  var end: UInt32
  /// While the node is open: its parent, or `noParent`.
  var next: UInt32
  var payload: UInt32 = 0
  var qualifiers = QualifierList()

  static let noParent = UInt32.max
}

/// Up to eight qualifiers in the order of the text, four bits each.
struct QualifierList: Equatable {
  private(set) var packed: UInt32 = 0

  static let capacity = 8

  var isEmpty: Bool { packed == 0 }
  var hasConst: Bool { !isEmpty && constCount > 0 }

  /// How often `r` occurs; `rr*` is `const char *const` to GCC.
  var constCount: Int {
    var count = 0
    var rest = packed
    while rest != 0 {
      if rest & 15 == UInt32(TypeQualifier.const.rawValue) { count += 1 }
      rest >>= 4
    }
    return count
  }

  func contains(_ qualifier: TypeQualifier) -> Bool {
    var rest = packed
    while rest != 0 {
      if rest & 15 == UInt32(qualifier.rawValue) { return true }
      rest >>= 4
    }
    return false
  }

  /// Appends a qualifier; `false` where there are eight already.
  mutating func append(_ qualifier: TypeQualifier) -> Bool {
    guard packed >> 28 == 0 else { return false }
    var shift: UInt32 = 0
    while packed >> shift != 0 { shift += 4 }
    packed |= UInt32(qualifier.rawValue) << shift
    return true
  }

  var all: [TypeQualifier] {
    var result: [TypeQualifier] = []
    var rest = packed
    while rest != 0 {
      if let qualifier = TypeQualifier(rawValue: UInt8(rest & 15)) { result.append(qualifier) }
      rest >>= 4
    }
    return result
  }
}

/// A parsed text: the nodes and the bytes they point into.
struct EncodingTree: Sendable {
  var source: String
  var nodes: ContiguousArray<EncodingNode>
  var dialect: EncodingDialect
  /// What the bytes prove of the dialect.
  var proven: EncodingDialect?

  /// A piece of the source.
  func text(_ start: UInt32, _ length: UInt32) -> Substring {
    let view = source.utf8
    guard let from = view.index(view.startIndex, offsetBy: Int(start), limitedBy: view.endIndex),
      let to = view.index(from, offsetBy: Int(length), limitedBy: view.endIndex)
    else { return "" }
    return source[from..<to]
  }

  /// A run of digits of the source as a number; `nil` where there is none. The parser made sure that it fits.
  func number(at start: UInt32, digits: UInt32) -> UInt64? {
    digits == 0 ? nil : UInt64(text(start, digits))
  }
}
