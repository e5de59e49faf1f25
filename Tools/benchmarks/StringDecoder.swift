// The peer of the decoding benchmarks: a type decoder as one writes it first, over strings. It takes the first character
// off the rest of the text, makes a string of each piece, and builds the declaration by putting strings together. It
// reads the plain part of the grammar and no ambiguities.

enum StringDecoder {
  static func declaration(of encoding: String) -> String {
    var rest = encoding
    var texts: [String] = []
    while !rest.isEmpty {
      let before = rest.count
      texts.append(type(&rest))
      rest = String(rest.drop { $0.isNumber })
      if rest.count == before { rest = String(rest.dropFirst()) }
    }
    return texts.joined(separator: ", ")
  }

  private static let names: [Character: String] = [
    "c": "char", "C": "unsigned char", "s": "short", "S": "unsigned short", "i": "int", "I": "unsigned int",
    "l": "long", "L": "unsigned long", "q": "long long", "Q": "unsigned long long", "f": "float", "d": "double",
    "D": "long double", "B": "BOOL", "v": "void", "*": "char *", "#": "Class", ":": "SEL", "t": "__int128",
    "T": "unsigned __int128", "?": "void ()",
  ]

  private static func type(_ rest: inout String) -> String {
    guard let first = rest.first else { return "" }
    rest = String(rest.dropFirst())
    switch first {
    case "^": return type(&rest) + " *"
    case "r": return "const " + type(&rest)
    case "n", "N", "o", "O", "R", "V": return type(&rest)
    case "A": return "_Atomic(" + type(&rest) + ")"
    case "j": return "_Complex " + type(&rest)
    case "@": return object(&rest)
    case "[":
      let count = String(rest.prefix { $0.isNumber })
      rest = String(rest.dropFirst(count.count))
      let element = type(&rest)
      if rest.hasPrefix("]") { rest = String(rest.dropFirst()) }
      return element + " [" + count + "]"
    case "{": return record(&rest, "struct", "}")
    case "(": return record(&rest, "union", ")")
    case "b":
      let width = String(rest.prefix { $0.isNumber })
      rest = String(rest.dropFirst(width.count))
      return "unsigned int : " + width
    default: return names[first] ?? ""
    }
  }

  private static func object(_ rest: inout String) -> String {
    if rest.hasPrefix("?") {
      rest = String(rest.dropFirst())
      return "void (^)()"
    }
    guard rest.hasPrefix("\"") else { return "id" }
    rest = String(rest.dropFirst())
    let name = String(rest.prefix { $0 != "\"" })
    rest = String(rest.dropFirst(name.count + 1))
    return name + " *"
  }

  private static func record(_ rest: inout String, _ keyword: String, _ closer: Character) -> String {
    let tag = String(rest.prefix { $0 != "=" && $0 != closer })
    rest = String(rest.dropFirst(tag.count))
    var members: [String] = []
    if rest.hasPrefix("=") { rest = String(rest.dropFirst()) }
    while let next = rest.first, next != closer {
      if next == "\"" { rest = String(rest.dropFirst().drop { $0 != "\"" }.dropFirst()) }
      let before = rest.count
      members.append(type(&rest))
      if rest.count == before { break }
    }
    rest = String(rest.dropFirst())
    return keyword + " " + tag
  }
}
