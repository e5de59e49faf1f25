/// The parser: one pass over the bytes from left to right, without recursion.
///
/// What is open is linked through the nodes themselves (`next` holds the parent until a node is complete), so a parse
/// allocates the array of nodes and nothing else. Every byte is looked at a bounded number of times; see
/// `TreeBuilder+Tag.swift` for the one place where it may be more than once.
struct TreeBuilder {
  enum Step {
    /// A type begins here.
    case type
    /// A type is complete: its parent goes on.
    case parent
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let limits: ParsingLimits
  var position = 0
  var nodes: ContiguousArray<EncodingNode>
  var evidence = DialectEvidence()
  /// The innermost node that is not complete.
  var open = EncodingNode.noParent
  var depth = 0
  /// Records whose tag may end at a later `=`.
  var choices: [TagChoice] = []
  var scanBudget: Int
  var retriesLeft = 64

  init(
    bytes: UnsafeBufferPointer<UInt8>, limits: ParsingLimits,
    reusing spare: inout ContiguousArray<EncodingNode>
  ) throws(TypeEncodingError) {
    self.bytes = bytes
    nodes = []
    swap(&nodes, &spare)
    // Left from an earlier text, whose tree is gone by now.
    nodes.removeAll(keepingCapacity: true)
    self.limits = limits
    let most = min(limits.length, Int(Int32.max))
    guard bytes.count <= most else {
      throw TypeEncodingError(.tooLong(limit: most), at: most, expected: "the end", found: nil)
    }
    scanBudget = 32 * bytes.count + 4096
    // A node takes a byte of text at least, but for types without an encoding.
    nodes.reserveCapacity(min(bytes.count + 2, 1 << 20))
  }

  // MARK: Bytes

  /// The byte at the position, `nil` at the end.
  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// A byte further on, `nil` beyond the end.
  @inline(__always) func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  func failure(_ problem: TypeEncodingError.Problem, expected: String, at offset: Int? = nil) -> TypeEncodingError {
    let offset = offset ?? position
    return TypeEncodingError(problem, at: offset, expected: expected, found: byte(at: offset))
  }

  /// Passes over decimal digits and says how many there were.
  mutating func skipDigits() -> Int {
    let start = position
    while let byte = current, byte.isDigit { position += 1 }
    return position - start
  }

  // MARK: Types

  /// Reads one type, which becomes the next root, and stops at the first byte after it.
  mutating func parseType() throws(TypeEncodingError) {
    open = EncodingNode.noParent
    depth = 0
    choices.removeAll(keepingCapacity: true)
    var step = Step.type
    while true {
      do throws(TypeEncodingError) { return try run(step) } catch {
        guard takeNextChoice() else { throw error }
        step = .parent
      }
    }
  }

  private mutating func run(_ first: Step) throws(TypeEncodingError) {
    var step = first
    while true {
      switch step {
      case .type: step = try beginType()
      case .parent:
        guard open != EncodingNode.noParent else { return }
        step = try resumeParent()
      }
    }
  }

  private mutating func beginType() throws(TypeEncodingError) -> Step {
    let qualifiers = try parseQualifiers()
    guard let byte = current else { return appendNone(qualifiers) }
    if ScalarType(rawValue: byte) != nil {
      append(.scalar, length: 1, qualifiers, code: byte)
      return .parent
    }
    switch byte {
    case UInt8(ascii: "*"):
      append(.characterPointer, length: 1, qualifiers)
      return .parent
    case UInt8(ascii: "?"):
      append(.function, length: 1, qualifiers)
      return .parent
    case UInt8(ascii: "^"): return try push(.pointer, length: 1, qualifiers)
    case UInt8(ascii: "A"): return try push(.atomic, length: 1, qualifiers)
    case UInt8(ascii: "j"): return try push(.complex, length: 1, qualifiers)
    case UInt8(ascii: "@"): return try beginObject(qualifiers)
    case UInt8(ascii: "["): return try beginArray(qualifiers)
    case UInt8(ascii: "!"): return try beginVector(qualifiers)
    case UInt8(ascii: "{"), UInt8(ascii: "("): return try beginRecord(byte, qualifiers)
    case UInt8(ascii: "b"): return try parseBits(qualifiers)
    case _ where byte.isDigit || byte.endsType: return appendNone(qualifiers)
    default: throw failure(.unknownCode, expected: "a type")
    }
  }

  private mutating func parseQualifiers() throws(TypeEncodingError) -> QualifierList {
    var list = QualifierList()
    while let byte = current, let qualifier = TypeQualifier(code: byte) {
      guard list.append(qualifier) else {
        throw failure(.tooManyQualifiers, expected: "a type")
      }
      // clang writes `r` for the outermost type only, and once.
      if qualifier == .const, open != EncodingNode.noParent && !opensArgument || list.constCount > 1 {
        evidence.hasInnerConst = true
      }
      position += 1
    }
    return list
  }

  /// Whether the type that begins is the result or an argument of a block, which clang treats as outermost.
  private var opensArgument: Bool {
    open != EncodingNode.noParent && nodes[Int(open)].kind == .block
  }

  /// The next step for an open node that has one more child, or is asked for its first.
  private mutating func resumeParent() throws(TypeEncodingError) -> Step {
    switch nodes[Int(open)].kind {
    case .array, .vector: return try closeArray()
    case .record: return try resumeRecord()
    case .block: return try resumeBlock()
    default:
      close()
      return .parent
    }
  }

  // MARK: Nodes

  mutating func append(
    _ kind: EncodingNode.Kind, length: Int, _ qualifiers: QualifierList = QualifierList(), code: UInt8 = 0,
    flags: EncodingNode.Flags = [], payload: Int = 0
  ) {
    let start = UInt32(truncatingIfNeeded: position)
    position += length
    nodes.append(
      EncodingNode(
        kind: kind, flags: flags, code: code, start: start, end: UInt32(truncatingIfNeeded: position),
        next: UInt32(truncatingIfNeeded: nodes.count + 1), payload: UInt32(truncatingIfNeeded: payload),
        qualifiers: qualifiers))
  }

  private mutating func appendNone(_ qualifiers: QualifierList) -> Step {
    append(.none, length: 0, qualifiers)
    return .parent
  }

  /// Appends a node that has children, and opens it.
  mutating func push(
    _ kind: EncodingNode.Kind, length: Int, _ qualifiers: QualifierList, code: UInt8 = 0,
    flags: EncodingNode.Flags = [], payload: Int = 0
  ) throws(TypeEncodingError) -> Step {
    guard depth < limits.nesting else {
      throw failure(.tooDeep(limit: limits.nesting), expected: "no more than \(limits.nesting) levels")
    }
    depth += 1
    append(kind, length: length, qualifiers, code: code, flags: flags, payload: payload)
    nodes[nodes.count - 1].next = open
    open = UInt32(truncatingIfNeeded: nodes.count - 1)
    return .type
  }

  /// Completes the innermost open node, which ends at the position.
  mutating func close() {
    let index = Int(open)
    if let choice = choices.last, choice.node == index { choices.removeLast() }
    open = nodes[index].next
    nodes[index].next = UInt32(truncatingIfNeeded: nodes.count)
    nodes[index].end = UInt32(truncatingIfNeeded: position)
    depth -= 1
  }

  /// Completes whatever is open after an error, so that what was read can be shown.
  mutating func closeAll() {
    while open != EncodingNode.noParent {
      let kind = nodes[Int(open)].kind
      let needsChild = kind == .pointer || kind == .atomic || kind == .complex || kind == .array || kind == .vector
      let isEmpty = nodes.count == Int(open) + 1
      // A signature's result is its first child; a name must be followed by its member.
      if isEmpty, needsChild || kind == .block { append(.none, length: 0) }
      if nodes[nodes.count - 1].kind == .name { append(.none, length: 0) }
      close()
    }
  }
}

extension UInt8 {
  @inline(__always) var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// Whether a type may end before this byte without having begun: closers, quotes, the comma of a property.
  var endsType: Bool {
    switch self {
    case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "\""),
      UInt8(ascii: ","):
      true
    default: false
    }
  }

  /// Whether a member or an argument can begin with this byte.
  var beginsType: Bool {
    if ScalarType(rawValue: self) != nil || TypeQualifier(code: self) != nil { return true }
    switch self {
    case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "^"), UInt8(ascii: "A"), UInt8(ascii: "j"),
      UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "!"), UInt8(ascii: "{"), UInt8(ascii: "("),
      UInt8(ascii: "b"):
      return true
    default: return false
    }
  }
}
