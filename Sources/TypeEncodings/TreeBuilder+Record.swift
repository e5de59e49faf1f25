// Structs and unions: `{tag=members}`, `(tag=members)`, `{tag}`.

extension TreeBuilder {
  mutating func beginRecord(_ opener: UInt8, _ qualifiers: QualifierList) throws(TypeEncodingError) -> Step {
    let closer = opener == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: ")")
    let tagStart = position + 1
    var found = try tagEnd(from: tagStart, closer: closer)
    let isChoice = found == nil
    if isChoice { found = firstChoice(from: tagStart, closer: closer) }
    guard let end = found else {
      throw failure(
        .unclosed(opener == UInt8(ascii: "{") ? .struct : .union),
        expected: "'=' or '\(Character(UnicodeScalar(closer)))'", at: bytes.count)
    }
    guard end > tagStart else {
      throw failure(.missingTag, expected: "a name or '?'", at: tagStart)
    }
    let hasMembers = bytes[end] == UInt8(ascii: "=")
    _ = try push(
      .record, length: end + (hasMembers ? 1 : 0) - position, qualifiers, code: opener,
      flags: hasMembers ? .hasMembers : [], payload: end - tagStart)
    if isChoice, hasMembers { choices.append(TagChoice(node: Int(open), depth: depth, tagStart: tagStart, end: end)) }
    return .parent
  }

  /// After the tag, and after each member: the next member, with its name if it has one, or the closing bracket.
  mutating func resumeRecord() throws(TypeEncodingError) -> Step {
    let index = Int(open)
    let isStruct = nodes[index].code == UInt8(ascii: "{")
    let closer = isStruct ? UInt8(ascii: "}") : UInt8(ascii: ")")
    guard let byte = current else {
      throw failure(
        .unclosed(isStruct ? .struct : .union), expected: "a member or '\(Character(UnicodeScalar(closer)))'")
    }
    if byte == closer {
      position += 1
      close()
      return .parent
    }
    if nodes[index].flags.contains(.hasMembers) {
      if byte == UInt8(ascii: "\"") { return try beginNamedMember() }
      if byte.beginsType { return .type }
    }
    let isCloser = byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: ")")
    throw failure(
      isCloser ? .mismatchedCloser(isStruct ? .struct : .union) : .unknownCode,
      expected: "a member or '\(Character(UnicodeScalar(closer)))'")
  }

  /// A quoted name and its member. Two names in a row, or a name before the closing bracket, are members without an
  /// encoding.
  private mutating func beginNamedMember() throws(TypeEncodingError) -> Step {
    let start = position + 1
    var end = start
    while let byte = byte(at: end), byte != UInt8(ascii: "\"") { end += 1 }
    guard end < bytes.count else { throw failure(.unclosedQuote, expected: "'\"'", at: end) }
    nodes[Int(open)].flags.insert(.isNamed)
    append(.name, length: end + 1 - position, payload: end - start)
    switch current {
    case nil, UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: ")"):
      append(.none, length: 0)
      return .parent
    default: return .type
    }
  }
}
