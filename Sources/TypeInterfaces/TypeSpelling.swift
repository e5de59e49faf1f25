// From what the demangler prints to what a person writes.

import Symbolication

/// Spells the types of a demangled text as Swift's source does: without modules, with `any` before protocols, `Self` in
/// protocols, `A.Element` for `A.Swift.Sequence.Element`.
struct TypeSpelling {
  /// The protocols there are, with their modules: the demangler writes them like types.
  var protocols: Set<String>
  /// Whether the first generic parameter is the type that conforms, as in protocols and their extensions.
  var isInProtocol = false

  /// A type, or a list of them.
  func type(_ text: String) -> String { spelled(text, isConstraint: false) }

  /// A requirement: `A: Swift.Hashable`.
  func constraint(_ text: String) -> String { spelled(text, isConstraint: true) }

  private func spelled(_ text: String, isConstraint: Bool) -> String {
    var writer = SpellingWriter(
      DemangledText(Self.withoutPacks(Self.withoutOpaqueTypes(PrivateNames.removed(from: text)))), self)
    writer.isConstraint = isConstraint
    writer.run()
    let text = Self.withVoid(writer.text)
    // Of a dictionary: nothing else in a type has a colon with a space before it.
    return TextSearch.replacing(" : ", with: ": ", in: text)
  }

  /// The greatest depth of the generic parameters in a text: 1 for `A1`, 0 for `A` and where there are none.
  static func depth(in text: String) -> Int {
    let bytes = Array(text.utf8)
    var depth = 0
    var index = 0
    while index < bytes.count {
      let start = index
      while index < bytes.count, SpellingWriter.isNameByte(bytes[index]) { index += 1 }
      // What stands behind a dot is a type's own name, and not a parameter's.
      if index > start, start == 0 || bytes[start - 1] != UInt8(ascii: ".") {
        let name = String(decoding: bytes[start..<index], as: UTF8.self)
        if SpellingWriter.isGenericParameter(name) { depth = max(depth, Int(name.drop { !$0.isNumber }) ?? 0) }
      }
      if index == start { index += 1 }
    }
    return depth
  }

  /// ` -> ()` as ` -> Void`, but where `()` are the parameters of a function that is returned.
  private static func withVoid(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = TextSearch.firstRange(of: " -> ()", in: rest) {
      let after = rest[range.upperBound...]
      let isFunction = [" -> ", " async", " throws"].contains { after.hasPrefix($0) }
      result += rest[..<range.lowerBound] + (isFunction ? " -> ()" : " -> Void")
      rest = after
    }
    return result + rest
  }

  /// `Pack{repeat A}` as `repeat each A`.
  private static func withoutPacks(_ text: String) -> String {
    guard TextSearch.contains("Pack{", in: text) else { return text }
    let opened = TextSearch.replacing("Pack{", with: "", in: text)
    return TextSearch.replacing("repeat ", with: "repeat each ", in: String(opened.filter { $0 != "}" }))
  }

  /// `<<opaque return type of f() -> some>>.0`: whose it is can only be said in words.
  private static func withoutOpaqueTypes(_ text: String) -> String {
    var text = text
    while let start = TextSearch.firstRange(of: "<<opaque return type of ", in: text),
      let end = TextSearch.firstRange(of: ">>", in: text[start.upperBound...])
    {
      var after = end.upperBound
      if after < text.endIndex, text[after] == "." {
        after = text.index(after: after)
        while after < text.endIndex, text[after].isNumber { after = text.index(after: after) }
      }
      text.replaceSubrange(start.lowerBound..<after, with: "some Any")
    }
    return text
  }
}

/// Goes through a demangled text once, path by path.
private struct SpellingWriter {
  private let source: DemangledText
  private let spelling: TypeSpelling
  private var bytes: [UInt8] { source.bytes }
  private var index = 0
  private var output: [UInt8] = []
  var isConstraint = false

  init(_ source: DemangledText, _ spelling: TypeSpelling) { (self.source, self.spelling) = (source, spelling) }

  var text: String { String(decoding: output, as: UTF8.self) }

  mutating func run() {
    output.reserveCapacity(bytes.count)
    while index < bytes.count {
      if Self.beginsName(bytes[index]), index == 0 || !Self.isNameByte(bytes[index - 1]) {
        path()
      } else {
        output.append(bytes[index])
        index += 1
        if ">]?".utf8.contains(bytes[index - 1]) { passConstraints() }
      }
    }
  }

  private static func beginsName(_ byte: UInt8) -> Bool { isNameByte(byte) && !(0x30...0x39).contains(byte) }

  fileprivate static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...: true
    default: false
    }
  }

  private mutating func path() {
    var parts: [String] = []
    while true {
      let start = index
      while index < bytes.count, Self.isNameByte(bytes[index]) { index += 1 }
      parts.append(source.text(start..<index))
      guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."), Self.beginsName(bytes[index + 1]) else { break }
      index += 1
    }
    let isLabel = index < bytes.count && bytes[index] == UInt8(ascii: ":") && parts.count == 1
    guard !isLabel || isConstraint else { return append(parts[0]) }
    write(parts)
  }

  private mutating func write(_ parts: [String]) {
    let first = parts[0]
    if parts.count == 1 {
      switch first {
      case "Any" where isBefore("<Self"):
        // What may not be copied or escape: `any Any<Self: ~Swift.Copyable>`.
        index = source.closing(index)
        return append("Any")
      case "__owned": return append("consuming")
      case "__shared": return append("borrowing")
      case "some" where isBareSome: return append("some Any")
      default: break
      }
    }
    if first == "Any" { return append(parts.joined(separator: ".")) }
    if Self.isGenericParameter(first) || first == "Self" {
      let name = first == "A" && spelling.isInProtocol ? "Self" : first
      return append(([name] + withoutProtocols(parts.dropFirst())).joined(separator: "."))
    }
    guard parts.count > 1, first != "Builtin" else { return append(parts.joined(separator: ".")) }
    nominal(parts)
  }

  /// A type or a protocol with its module.
  private mutating func nominal(_ parts: [String]) {
    var parts = parts
    var metatype: String?
    if let last = parts.last, ["Type", "Protocol"].contains(last), parts.count > 2 {
      metatype = last
      parts.removeLast()
    }
    let isProtocol = spelling.protocols.contains(parts.joined(separator: "."))
    let name = parts.dropFirst().joined(separator: ".") + (metatype == "Type" ? ".Type" : "")
    let needsAny = !isConstraint && (isProtocol || isBefore(" & ")) && !isBehind(["any ", "some ", "& ", "@"])
    if metatype == "Protocol" {
      append("(any \(name)).Type")
    } else if needsAny, isBefore("?"), !isBefore(" & ") {
      append("(any \(name))")
    } else {
      append((needsAny ? "any " : "") + name)
    }
    if isBefore("<Self.") { primaryAssociatedTypes() }
    passConstraints()
  }

  /// `<Self.Swift.Collection.Element == Swift.Int>` as `<Int>`.
  private mutating func primaryAssociatedTypes() {
    let close = source.closing(index)
    let types = source.list(index + 1..<max(index + 1, close - 1)).compactMap { requirement -> String? in
      TextSearch.firstRange(of: " == ", in: requirement).map { spelling.type(String(requirement[$0.upperBound...])) }
    }
    if !types.isEmpty { append("<" + types.joined(separator: ", ") + ">") }
    index = close
  }

  /// A type within an extension brings the extension's constraints along: `ClosedRange<A>< where A: Strideable>.Index`.
  private mutating func passConstraints() {
    while isBefore("<") {
      let close = source.closing(index)
      guard DemangledText(source.text(index + 1..<close)).find("where ", from: 0) != nil else { return }
      index = close
    }
  }

  /// What belongs to a generic parameter, without the protocols that ask for it.
  private func withoutProtocols(_ parts: ArraySlice<String>) -> [String] {
    var kept: [String] = []
    var rest = parts
    while let name = rest.first {
      if rest.count >= 3, spelling.protocols.contains(rest.prefix(2).joined(separator: ".")) || rest.count % 3 == 0 {
        rest = rest.dropFirst(2)
      } else {
        kept.append(name)
        rest = rest.dropFirst()
      }
    }
    return kept
  }

  private var isBareSome: Bool { !isBefore(" ") }

  private func isBefore(_ piece: String) -> Bool { source.hasText(piece, at: index) }

  private func isBehind(_ pieces: [String]) -> Bool {
    pieces.contains { output.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }

  /// `A`, `B1`: what the demangler calls generic parameters.
  static func isGenericParameter(_ name: String) -> Bool {
    guard let first = name.utf8.first, (0x41...0x5A).contains(first) else { return false }
    return name.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }
}
