// Method types and block signatures: types with frame offsets between them.

extension TreeBuilder {
  /// A type and the frame offset behind it, if there is one, as two roots.
  mutating func parseTypeWithOffset() throws(TypeEncodingError) {
    try parseType()
    try parseOffset()
  }

  /// `16`, `-8`, `+0`: a plus sign is GCC's mark of an argument in a register. `+` alone is a qualifier of what follows.
  private mutating func parseOffset() throws(TypeEncodingError) {
    let start = position
    var flags: EncodingNode.Flags = []
    if current == UInt8(ascii: "+") {
      flags.insert(.isRegister)
      position += 1
    }
    if current == UInt8(ascii: "-") {
      flags.insert(.isNegative)
      position += 1
    }
    let digitsStart = position
    let digits = skipDigits()
    guard digits > 0 else {
      position = start
      return
    }
    guard digits < 10 else {
      throw failure(.numberTooLarge, expected: "a frame offset", at: digitsStart)
    }
    var value = 0
    for index in digitsStart..<position { value = value * 10 + Int(bytes[index] & 15) }
    let length = position - start
    position = start
    append(.offset, length: length, flags: flags, payload: value)
  }

  /// All types up to the end of the text, each with its offset.
  mutating func parseTypeList() throws(TypeEncodingError) {
    repeat {
      let start = position
      try parseTypeWithOffset()
      guard position > start else { throw failure(.unknownCode, expected: "a type") }
    } while position < bytes.count
  }
}

extension EncodingTree {
  /// A root and the offset behind it.
  struct Slot {
    var index: Int
    var offset: Int?
    var isRegister = false
  }

  /// The roots of a text of several types.
  var slots: [Slot] {
    var result: [Slot] = []
    var index = 0
    while index < nodes.count {
      let node = nodes[index]
      if node.kind == .offset, !result.isEmpty {
        let value = Int(node.payload)
        result[result.count - 1].offset = node.flags.contains(.isNegative) ? -value : value
        result[result.count - 1].isRegister = node.flags.contains(.isRegister)
      } else {
        result.append(Slot(index: index))
      }
      index = Int(node.next)
    }
    return result
  }
}
