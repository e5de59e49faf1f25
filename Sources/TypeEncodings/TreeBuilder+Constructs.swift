// Objects and blocks, arrays and vectors, bit-fields.

extension TreeBuilder {
  // MARK: Objects and blocks

  /// `@`, `@"Class<Protocol>"`, `@?`, `@?<result @? arguments>`.
  mutating func beginObject(_ qualifiers: QualifierList) throws(TypeEncodingError) -> Step {
    switch byte(at: position + 1) {
    case UInt8(ascii: "?"):
      guard byte(at: position + 2) == UInt8(ascii: "<") else {
        append(.block, length: 2, qualifiers)
        return .parent
      }
      return try push(.block, length: 3, qualifiers, flags: .hasSignature)
    case UInt8(ascii: "\""):
      guard let length = try quotedClassLength() else { break }
      append(.object, length: length + 3, qualifiers, flags: .hasClass, payload: length)
      return .parent
    default: break
    }
    append(.object, length: 1, qualifiers)
    return .parent
  }

  /// The length of the class in quotes after the `@` at the position, `nil` where the quoted text is the next member's
  /// name. In a record whose members have names it is a class only when another name, a closing bracket or the end
  /// follows; everywhere else it always is. `""` is never a class.
  private func quotedClassLength() throws(TypeEncodingError) -> Int? {
    let start = position + 2
    var end = start
    while let byte = byte(at: end), byte != UInt8(ascii: "\"") { end += 1 }
    guard end < bytes.count else { throw failure(.unclosedQuote, expected: "'\"'", at: end) }
    guard end > start else { return nil }
    if isInNamedRecord {
      switch byte(at: end + 1) {
      case nil, UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): break
      default: return nil
      }
    }
    try checkProtocols(start, end)
    return end - start
  }

  /// Whether the nearest record around the position names its members. A block's signature is a world of its own.
  private var isInNamedRecord: Bool {
    var index = open
    while index != EncodingNode.noParent {
      let node = nodes[Int(index)]
      if node.kind == .record { return node.flags.contains(.isNamed) }
      if node.kind == .block { return false }
      index = node.next
    }
    return false
  }

  /// The angle brackets of a class must pair and hold something.
  private func checkProtocols(_ start: Int, _ end: Int) throws(TypeEncodingError) {
    var level = 0
    for index in start..<end {
      if bytes[index] == UInt8(ascii: "<") {
        level += 1
        let follows = byte(at: index + 1)
        if follows == UInt8(ascii: ">") || follows == UInt8(ascii: "\"") {
          throw failure(.malformedProtocols, expected: "the name of a protocol", at: index + 1)
        }
      } else if bytes[index] == UInt8(ascii: ">") {
        level -= 1
        if level < 0 { throw failure(.malformedProtocols, expected: "'\"'", at: index) }
      }
    }
    if level > 0 { throw failure(.malformedProtocols, expected: "'>'", at: end) }
  }

  /// After a block's result comes the block itself, `@?`; then arguments until `>`.
  mutating func resumeBlock() throws(TypeEncodingError) -> Step {
    let index = Int(open)
    guard nodes[index].flags.contains(.hasMarker) else {
      guard current == UInt8(ascii: "@"), byte(at: position + 1) == UInt8(ascii: "?") else {
        throw failure(current == nil ? .unclosed(.block) : .missingBlock, expected: "'@?'")
      }
      position += 2
      nodes[index].flags.insert(.hasMarker)
      return .parent
    }
    switch current {
    case UInt8(ascii: ">"):
      position += 1
      close()
      return .parent
    case let byte? where byte.beginsType: return .type
    case nil: throw failure(.unclosed(.block), expected: "an argument or '>'")
    default: throw failure(.unknownCode, expected: "an argument or '>'")
    }
  }

  // MARK: Arrays and vectors

  mutating func beginArray(_ qualifiers: QualifierList) throws(TypeEncodingError) -> Step {
    if byte(at: position + 1) == UInt8(ascii: "-") {
      throw failure(.negativeCount, expected: "a count or a type", at: position + 1)
    }
    let start = position
    position += 1
    let digits = try skipNumber()
    let length = position - start
    position = start
    return try push(.array, length: length, qualifiers, payload: digits)
  }

  mutating func beginVector(_ qualifiers: QualifierList) throws(TypeEncodingError) -> Step {
    let start = position
    position += 1
    guard current == UInt8(ascii: "[") else { throw failure(.missingNumber, expected: "'['") }
    position += 1
    _ = try requiredNumber("the vector's size in bytes")
    guard current == UInt8(ascii: ",") else { throw failure(.missingNumber, expected: "','") }
    position += 1
    _ = try requiredNumber("the vector's alignment")
    evidence.hasVector = true
    let length = position - start
    position = start
    return try push(.vector, length: length, qualifiers, payload: length)
  }

  /// The closing bracket of an array or a vector whose element is complete.
  mutating func closeArray() throws(TypeEncodingError) -> Step {
    guard current == UInt8(ascii: "]") else {
      let construct: TypeEncodingError.Construct = nodes[Int(open)].kind == .array ? .array : .vector
      switch current {
      case nil: throw failure(.unclosed(construct), expected: "']'")
      case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: ">"):
        throw failure(.mismatchedCloser(construct), expected: "']'")
      default: throw failure(.unknownCode, expected: "']'")
      }
    }
    position += 1
    close()
    return .parent
  }

  // MARK: Numbers and bit-fields

  /// Passes over a number that fits 64 bits, and says how many digits it has: maybe none.
  mutating func skipNumber() throws(TypeEncodingError) -> Int {
    let start = position
    let digits = skipDigits()
    var value: UInt64 = 0
    for index in start..<position {
      let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = shifted.addingReportingOverflow(UInt64(bytes[index] & 15))
      guard !overflow, !carry else {
        throw failure(.numberTooLarge, expected: "a number below 2⁶⁴", at: start)
      }
      value = sum
    }
    return digits
  }

  mutating func requiredNumber(_ what: String) throws(TypeEncodingError) -> Int {
    let digits = try skipNumber()
    guard digits > 0 else { throw failure(.missingNumber, expected: what) }
    return digits
  }

  /// `b` and a width, or `b`, a position, a base type and a width. A letter with a digit behind it tells the second: in
  /// Apple's form a member would have to begin with a digit, and none does.
  mutating func parseBits(_ qualifiers: QualifierList) throws(TypeEncodingError) -> Step {
    let start = position
    position += 1
    try requireSmallNumber("the width of the bit-field")
    var flags: EncodingNode.Flags = []
    var code: UInt8 = 0
    if let base = current, ScalarType(rawValue: base) != nil, base != UInt8(ascii: " "),
      let digit = byte(at: position + 1), digit.isDigit
    {
      position += 1
      code = base
      flags = .isPositioned
      try requireSmallNumber("the width of the bit-field")
      evidence.hasPositionedBits = true
    } else {
      evidence.hasPlainBits = true
    }
    let length = position - start
    position = start
    append(.bits, length: length, qualifiers, code: code, flags: flags)
    return .parent
  }

  /// Positions and widths count bits of a record: 2³² of them are half a gigabyte.
  private mutating func requireSmallNumber(_ what: String) throws(TypeEncodingError) {
    let start = position
    let digits = try requiredNumber(what)
    if digits > 10 { throw failure(.numberTooLarge, expected: "a number of bits", at: start) }
  }
}
