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
  /// Calls `body` with each type that stands side by side at the top.
  func forEachType(_ body: (Int) -> Void) {
    var index = 0
    while index < nodes.count {
      if nodes[index].kind != .offset { body(index) }
      index = Int(nodes[index].next)
    }
  }

  /// The type behind the one at `index`, with frame offsets passed over; the end of the nodes behind the last.
  func typeAfter(_ index: Int) -> Int {
    var index = Int(nodes[index].next)
    while index < nodes.count, nodes[index].kind == .offset { index = Int(nodes[index].next) }
    return index
  }

  /// The type with a number among those side by side, and the offset behind it.
  func slot(_ number: Int) -> MethodEncoding.Slot? {
    var index = 0
    var left = number
    while left > 0, index < nodes.count {
      index = typeAfter(index)
      left -= 1
    }
    return index < nodes.count ? slot(at: index) : nil
  }

  /// The types from a number on.
  func slots(from number: Int) -> [MethodEncoding.Slot] {
    var slots: [MethodEncoding.Slot] = []
    var place = 0
    forEachType { index in
      if place >= number { slots.append(slot(at: index)) }
      place += 1
    }
    return slots
  }

  private func slot(at index: Int) -> MethodEncoding.Slot {
    let type = EncodedType(tree: self, index: index)
    let next = Int(nodes[index].next)
    guard next < nodes.count, nodes[next].kind == .offset else {
      return MethodEncoding.Slot(type: type, offset: nil, isInRegister: false)
    }
    let value = Int(nodes[next].payload)
    return MethodEncoding.Slot(
      type: type, offset: nodes[next].flags.contains(.isNegative) ? -value : value,
      isInRegister: nodes[next].flags.contains(.isRegister))
  }
}
