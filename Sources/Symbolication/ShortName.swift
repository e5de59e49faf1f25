// A function's name as one would say it: `Parser.scan(_:)`, `closure #1 in Router.handle(_:)`.

enum ShortName {
  /// Of a demangled Swift text without modules; text of an unknown form stays as it is.
  static func ofSwift(_ simplified: String) -> String {
    let text = withoutCompilersWork(simplified)
    guard let entity = SwiftEntity(text) else { return withoutConvention(text) ?? text }
    let path = entity.path.map(withoutGenericClause).joined(separator: ".")
    return closures(in: entity.phrase) + (entity.isStatic ? "static " : "") + path + labels(entity.rest)
  }

  /// `(2) suspend resume partial function for generic specialization <Int> of f()` as `f()`.
  static func withoutCompilersWork(_ text: String) -> String {
    var text = DemangledText(text)
    while let end = text.compilersWorkEnd { text = DemangledText(text.text(end..<text.bytes.count)) }
    return text.text(0..<text.bytes.count)
  }

  /// Of a C symbol: without its version (`@@GLIBC_2.34`), the C library's prefix for calls within itself, and the suffix of an
  /// asynchronous part that has no Swift name.
  static func ofC(_ symbol: String) -> String {
    var name = symbol[...]
    if let version = name.dropFirst().firstIndex(of: "@") { name = name[..<version] }
    if name.hasPrefix("__GI_"), name.utf8.count > 5 { name = name.dropFirst(5) }
    if AsyncSuffix.isPart(String(name)), let start = name.lastIndex(of: "T") { name = name[..<start] }
    return name.isEmpty ? symbol : String(name)
  }

  /// `swift::runJob(swift::Job*)` as `swift::runJob`.
  static func ofCxx(_ demangled: String) -> String {
    var text = demangled
    if text.hasSuffix(" const") { text = String(text.dropLast(6)) }
    guard text.hasSuffix(")") else { return demangled }
    var depth = 0
    for (offset, byte) in text.utf8.enumerated().reversed() {
      if byte == UInt8(ascii: ")") { depth += 1 }
      if byte == UInt8(ascii: "(") { depth -= 1 }
      if depth == 0 {
        let name = String(decoding: text.utf8.prefix(offset), as: UTF8.self)
        return name.isEmpty || name.hasSuffix("operator") ? demangled : name
      }
    }
    return demangled
  }

  /// What is left of `closure #1 (Int) -> () in ` is `closure #1 in `; specializations and resumed parts say nothing here.
  private static func closures(in phrase: String) -> String {
    var found = ""
    let text = DemangledText(phrase)
    var index = 0
    while index < text.bytes.count {
      let start = ["implicit closure #", "closure #"].first { text.hasText($0, at: index) }
      guard let start, index == 0 || text.bytes[index - 1] == UInt8(ascii: " ") else {
        // Clauses in angles may mention closures that they are not.
        index = text.bytes[index] == UInt8(ascii: "<") ? text.closing(index) : index + 1
        continue
      }
      var end = index + start.utf8.count
      while end < text.bytes.count, text.bytes[end] != UInt8(ascii: " ") { end += 1 }
      found += text.text(index..<end) + " in "
      index = text.find(" in ", from: end).map { $0 + 4 } ?? text.bytes.count
    }
    return found
  }

  /// A thunk of a known kind, named after what it leads to.
  private static func withoutConvention(_ text: String) -> String? {
    // What it fits to what is long, and known to the compiler alone.
    if text.hasPrefix("reabstraction thunk ") { return "reabstraction thunk" }
    for phrase in ["protocol witness for ", "vtable thunk for ", "curry thunk of "] where text.hasPrefix(phrase) {
      let rest = DemangledText(text.dropFirst(phrase.utf8.count))
      let end = rest.find(" in conformance ", from: 0) ?? rest.find(" dispatching to ", from: 0) ?? rest.bytes.count
      guard let entity = SwiftEntity(rest.text(0..<end)) else { return nil }
      return phrase + entity.path.map(withoutGenericClause).joined(separator: ".") + labels(entity.rest)
    }
    return nil
  }

  private static func withoutGenericClause(_ name: String) -> String {
    guard let angle = name.firstIndex(of: "<"), angle != name.startIndex,
      name[..<angle].unicodeScalars.last.map({ $0.properties.isXIDContinue }) ?? false
    else { return name }
    return String(name[..<angle])
  }

  /// `(Int, by: Int) async -> Int` as `(_:by:)`; nothing for a variable's type.
  private static func labels(_ rest: String) -> String {
    var rest = rest
    if let fixity = SwiftEntity.fixity(of: rest) { rest = String(rest.dropFirst(fixity.utf8.count)) }
    let text = DemangledText(rest)
    var start = 0
    if text.hasText("<", at: 0) { start = text.closing(0) }
    guard text.hasText("(", at: start) else { return "" }
    let close = text.closing(start)
    guard close - start > 2 else { return "()" }
    let names = text.list(start + 1..<close - 1).map { parameter in
      SwiftEntity.hasLabel(parameter) ? String(parameter.prefix { $0 != ":" }) + ":" : "_:"
    }
    return "(" + names.joined() + ")"
  }
}

extension DemangledText {
  /// Where what is said of a function before its name ends: that it is a part of it, specialized or merged.
  fileprivate var compilersWorkEnd: Int? {
    if hasText("merged ", at: 0) { return 7 }
    if hasText("(", at: 0) {
      let phrase = " resume partial function for "
      return find(phrase, from: 0).map { $0 + phrase.utf8.count }
    }
    // The demangler leaves a bracket open in these: "[Closure Propagated : f, Argument Types : []>".
    if hasText("function signature specialization <", at: 0) { return endOfFirst("> of ") }
    guard hasText("generic ", at: 0), let clause = find("specialization <", from: 0) else { return nil }
    return find(" of ", from: clause).map { $0 + 4 }
  }

  private func endOfFirst(_ piece: String) -> Int? {
    bytes.indices.first { hasText(piece, at: $0) }.map { $0 + piece.utf8.count }
  }
}
