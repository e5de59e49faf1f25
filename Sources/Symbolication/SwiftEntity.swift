/// What a simplified demangled text names: a function, a variable, an initializer, with what is said about it before.
///
/// `static Square.count.getter : Int` is the accessor `get` of the variable `count` of `Square`. Text of another form,
/// such as `outlined copy of Int?`, is no entity.
package struct SwiftEntity {
  /// What is said before: `dispatch thunk of `, `closure #1 () -> Int in `.
  package private(set) var phrase = ""
  package private(set) var isStatic = false
  /// The names from the outermost type on, generic clauses included.
  package private(set) var path: [String] = []
  /// Which names of the path are private to a file.
  package private(set) var isPrivate: [Bool] = []
  /// What follows the last name: parameters, a type.
  package private(set) var rest = ""

  package init?(_ simplified: String) {
    let text = DemangledText(simplified)
    var index = 0
    while let end = Self.phraseEnd(text, index) { index = end }
    phrase = text.text(0..<index)
    if text.hasText("static ", at: index) {
      isStatic = true
      index += 7
    }
    guard let end = readPath(text, index) else { return nil }
    rest = text.text(end..<text.bytes.count)
    // The compiler's own types are declared nowhere.
    guard path.first != "Builtin" else { return nil }
    guard rest.isEmpty || rest.hasPrefix("(") || rest.hasPrefix(" : ") || Self.fixity(of: rest) != nil else {
      return nil
    }
    if rest.isEmpty, !isType && !isBare { return nil }
  }

  // MARK: What is said before

  private static let phrases = [
    "dispatch thunk of ", "method descriptor for ", "async function pointer to ", "partial apply forwarder for ",
    "property descriptor for ", "merged ", "@objc ", "@nonobjc ", "enum case for ",
    "variable initialization expression of ",
    "dynamically replaceable key for ", "dynamically replaceable thunk for ", "dynamically replaceable variable for ",
    "distributed thunk ", "distributed accessor for ", "direct field offset for ", "inlined generic function ",
    "back deployment thunk for ", "back deployment fallback for ", "protocol self-conformance witness for ",
    "property wrapper backing initializer of ", "property wrapper init from projected value of ",
  ]

  /// Where the phrase that begins at `index` ends.
  private static func phraseEnd(_ text: DemangledText, _ index: Int) -> Int? {
    for phrase in phrases where text.hasText(phrase, at: index) { return index + phrase.utf8.count }
    if text.hasText("default argument ", at: index) || text.hasText("outlined variable #", at: index) {
      return text.find(" of ", from: index).map { $0 + 4 }
    }
    if text.hasText("closure #", at: index) || text.hasText("implicit closure #", at: index) {
      return text.find(" in ", from: index).map { $0 + 4 }
    }
    if text.hasText("generic specialization <", at: index)
      || text.hasText("generic partial specialization <", at: index)
      || text.hasText("function signature specialization <", at: index)
      || text.hasText("generic not re-abstracted specialization <", at: index)
      || text.hasText("generic pre-specialization <", at: index)
    {
      return text.find(" of ", from: index).map { $0 + 4 }
    }
    // `(1) suspend resume partial function for `
    if text.hasText("(", at: index), let end = text.find(" resume partial function for ", from: index) {
      let number = text.bytes[(index + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      return number.isEmpty ? nil : end + " resume partial function for ".utf8.count
    }
    return nil
  }

  // MARK: The path

  /// Reads `Outer.Inner<A>.name`; returns where it ends.
  private mutating func readPath(_ text: DemangledText, _ start: Int) -> Int? {
    var index = start
    while true {
      guard let end = Self.nameEnd(text, index) else { return nil }
      var name = text.text(index..<end)
      isPrivate.append(name.hasPrefix("("))
      if name.hasPrefix("("), let middle = DemangledText(name.dropFirst()).find(" in ", from: 0) {
        // A private name: the file it is private to says nothing to a reader.
        name = String(name.dropFirst().prefix(middle))
      }
      index = end
      // An operator that is spelled with angles is no generic clause.
      let last = text.bytes[max(start, end - 1)]
      if text.hasText("<", at: index), Self.isWordByte(last) || last == UInt8(ascii: ")") {
        let close = text.closing(index)
        name += text.text(index..<close)
        index = close
      }
      path.append(name)
      guard text.hasText(".", at: index), index + 1 < text.bytes.count else { return index }
      index += 1
    }
  }

  private static func nameEnd(_ text: DemangledText, _ start: Int) -> Int? {
    guard start < text.bytes.count else { return nil }
    if text.bytes[start] == UInt8(ascii: "(") {
      let end = text.closing(start)
      return text.text(start..<end).contains(" in _") ? end : nil
    }
    var end = start
    if isWordByte(text.bytes[start]) {
      while end < text.bytes.count, isWordByte(text.bytes[end]) { end += 1 }
    } else {
      while end < text.bytes.count, isOperatorByte(text.bytes[end]) { end += 1 }
      // Operators are followed by their fixity.
      guard text.hasText(" ", at: end) else { return nil }
    }
    return end > start ? end : nil
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private static func isOperatorByte(_ byte: UInt8) -> Bool { "=<>!+-*/%&|^~?.".utf8.contains(byte) }

  package static func fixity(of rest: String) -> String? {
    [" infix", " prefix", " postfix"].first { rest.hasPrefix($0 + "(") || rest.hasPrefix($0 + "<") }
  }

  /// The name of a member alone, as descriptors and initial values have it.
  private var isBare: Bool { ["deinit", "__deallocating_deinit", "__ivar_destroyer"].contains(path.last) }

  /// Whether the text is the name of a type and nothing else.
  private var isType: Bool {
    phrase.isEmpty && !isStatic && (path.last?.utf8.first).map { $0 >= 65 && $0 <= 90 } ?? false
  }
}
