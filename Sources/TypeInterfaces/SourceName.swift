/// Names as Swift's source spells them.
enum SourceName {
  /// Words that are no names unless they are quoted (The Swift Programming Language, "Lexical Structure").
  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
    "internal", "let", "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static", "struct",
    "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
    "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "Any", "as",
    "await", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try", "_",
  ]

  /// A name where a declaration stands.
  static func quoted(_ name: String) -> String {
    guard !name.hasPrefix("`") else { return name }
    return keywords.contains(name) || !isIdentifier(name) ? "`\(name)`" : name
  }

  /// A label; nearly all words are allowed there.
  static func label(_ name: String?) -> String {
    guard let name else { return "_" }
    return ["inout", "var", "let", "_"].contains(name) || !isIdentifier(name) ? quoted(name) : name
  }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, !(0x30...0x39).contains(first.value) else { return false }
    return name.unicodeScalars.allSatisfy {
      $0.value == 0x5F || $0.value == 0x24 || $0.value >= 0x80 || isLetterOrDigit($0)
    }
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    (0x30...0x39).contains(scalar.value) || (0x41...0x5A).contains(scalar.value) || (0x61...0x7A).contains(scalar.value)
  }
}
