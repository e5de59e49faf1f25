// Where the tag of a record ends.
//
// clang writes the type's name as C++ spells it: `Fix<Dim{32, 8}>`, `CharT<'}'>`, `function<void (int, float)>`,
// `PtrT<&Op<int>::operator<>`. So a tag ends at the first `=` or closing bracket outside brackets and character literals.
// Where brackets do not pair, each `=` is tried in turn until the rest reads as members up to the closing bracket.
// Both are bounded: the looking by a budget that is linear in the length of the text, the trying by a count.

/// A record whose tag has been cut at one `=` and may be cut at a later one.
struct TagChoice {
  var node: Int
  var depth: Int
  var tagStart: Int
  /// The `=` that is being tried.
  var end: Int
}

extension TreeBuilder {
  /// Where the tag that begins at `start` ends, as far as brackets tell; `nil` where they do not pair.
  mutating func tagEnd(from start: Int, closer: UInt8) throws(TypeEncodingError) -> Int? {
    if let first = byte(at: start), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      throw failure(.missingTag, expected: "a name or '?'", at: start)
    }
    var index = start
    while let byte = byte(at: index) {
      switch byte {
      case UInt8(ascii: "="), closer: return index
      case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "'"):
        return try bracketedTagEnd(from: index, closer: closer)
      default: index += 1
      }
    }
    return nil
  }

  private mutating func bracketedTagEnd(from start: Int, closer: UInt8) throws(TypeEncodingError) -> Int? {
    var pending = PendingBrackets()
    var index = start
    defer { scanBudget -= index - start }
    while let byte = byte(at: index), index - start < scanBudget {
      switch byte {
      case UInt8(ascii: "'"): index += literalLength(at: index)
      case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        pending.open(byte)
        index += 1
      case UInt8(ascii: ">"):
        // The arrow of `decltype(a->b)` closes nothing.
        if index == start || bytes[index - 1] != UInt8(ascii: "-") { pending.closeAngle() }
        index += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if !pending.close(byte) {
          // The record itself ends here: with `<` still open, that is no tag.
          return byte == closer && pending.isEmpty ? index : nil
        }
        index += 1
      case UInt8(ascii: "=") where pending.isEmpty: return index
      default: index += 1
      }
    }
    if index < bytes.count { throw failure(.ambiguousTag, expected: "a name whose brackets pair", at: start) }
    return nil
  }

  /// The length of the character literal at `index`, 1 where the apostrophe begins none.
  private func literalLength(at index: Int) -> Int {
    let apostrophe = UInt8(ascii: "'")
    guard let first = byte(at: index + 1), first != apostrophe else { return 1 }
    var end = index + 2
    if first == UInt8(ascii: "\\") { end += 1 }
    // The longest are `'\U0010FFFF'` and a letter of four bytes.
    let limit = index + 14
    while let byte = byte(at: end), end < limit {
      if byte == apostrophe { return end + 1 - index }
      if first != UInt8(ascii: "\\"), byte < 0x80 { return 1 }
      end += 1
    }
    return 1
  }

  /// The first `=` after `start`: where to cut a tag whose brackets do not pair. Without one, the closing bracket.
  mutating func firstChoice(from start: Int, closer: UInt8) -> Int? {
    if let equals = nextEquals(from: start) { return equals }
    var index = start
    while let byte = byte(at: index), byte != closer { index += 1 }
    scanBudget -= index - start
    return index < bytes.count ? index : nil
  }

  private mutating func nextEquals(from start: Int) -> Int? {
    var index = start
    while let byte = byte(at: index), byte != UInt8(ascii: "="), index - start < scanBudget { index += 1 }
    scanBudget -= index - start
    return byte(at: index) == UInt8(ascii: "=") ? index : nil
  }

  /// After an error: cuts the innermost record's tag at its next `=`, and forgets what was read of its members.
  mutating func takeNextChoice() -> Bool {
    while var choice = choices.popLast() {
      guard retriesLeft > 0, let end = nextEquals(from: choice.end + 1) else { continue }
      retriesLeft -= 1
      nodes.removeLast(nodes.count - choice.node - 1)
      // The nodes that were open inside are gone; the record itself is the innermost again.
      open = UInt32(truncatingIfNeeded: choice.node)
      depth = choice.depth
      nodes[choice.node].flags = .hasMembers
      nodes[choice.node].payload = UInt32(truncatingIfNeeded: end - choice.tagStart)
      position = end + 1
      choice.end = end
      choices.append(choice)
      return true
    }
    return false
  }
}

/// The brackets that are open inside a tag. An angle may be a less-than sign, so any other bracket closes over it.
private struct PendingBrackets {
  private var stack: [UInt8] = []

  var isEmpty: Bool { stack.isEmpty }

  mutating func open(_ byte: UInt8) { stack.append(byte) }

  mutating func closeAngle() {
    if stack.last == UInt8(ascii: "<") { stack.removeLast() }
  }

  /// Closes the bracket that pairs with `byte`, and the angles opened since; `false` where none does.
  mutating func close(_ byte: UInt8) -> Bool {
    let opener =
      byte == UInt8(ascii: ")") ? UInt8(ascii: "(") : byte == UInt8(ascii: "]") ? UInt8(ascii: "[") : UInt8(ascii: "{")
    var count = stack.count
    while count > 0, stack[count - 1] == UInt8(ascii: "<") { count -= 1 }
    guard count > 0, stack[count - 1] == opener else { return false }
    stack.removeLast(stack.count - count + 1)
    return true
  }
}
