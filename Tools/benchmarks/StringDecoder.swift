// The peer of the decoding benchmarks: a decoder as one writes it first in Swift. It takes the first character off the rest
// of the text, which makes a string of the rest; builds a tree of indirect cases; and makes the declaration by putting
// strings together. It reads the plain part of the grammar and none of its ambiguities.

enum StringDecoder {
  private indirect enum Node {
    case scalar(String)
    case pointer(Node)
    case const(Node)
    case wrapped(String, Node)
    case object(String?)
    case array(String, Node)
    case record(String, String, [(name: String?, type: Node)])
    case bits(String)
  }

  /// The types of a text, each as a declaration, with a comma between.
  static func declaration(of encoding: String) -> String {
    var rest = encoding
    var nodes: [Node] = []
    while !rest.isEmpty {
      let before = rest.count
      nodes.append(type(&rest))
      rest = String(rest.drop { $0.isNumber })
      if rest.count == before { rest = String(rest.dropFirst()) }
    }
    return nodes.map { text(of: $0) }.joined(separator: ", ")
  }

  private static let names: [Character: String] = [
    "c": "char", "C": "unsigned char", "s": "short", "S": "unsigned short", "i": "int", "I": "unsigned int",
    "l": "long", "L": "unsigned long", "q": "long long", "Q": "unsigned long long", "f": "float", "d": "double",
    "D": "long double", "B": "BOOL", "v": "void", "*": "char *", "#": "Class", ":": "SEL", "t": "__int128",
    "T": "unsigned __int128", "?": "void ()",
  ]

  private static func type(_ rest: inout String) -> Node {
    guard let first = rest.first else { return .scalar("") }
    rest = String(rest.dropFirst())
    switch first {
    case "^": return .pointer(type(&rest))
    case "r": return .const(type(&rest))
    case "n", "N", "o", "O", "R", "V": return type(&rest)
    case "A": return .wrapped("_Atomic", type(&rest))
    case "j": return .wrapped("_Complex", type(&rest))
    case "@": return object(&rest)
    case "[":
      let count = String(rest.prefix { $0.isNumber })
      rest = String(rest.dropFirst(count.count))
      let element = type(&rest)
      if rest.hasPrefix("]") { rest = String(rest.dropFirst()) }
      return .array(count, element)
    case "{": return record(&rest, "struct", "}")
    case "(": return record(&rest, "union", ")")
    case "b":
      let width = String(rest.prefix { $0.isNumber })
      rest = String(rest.dropFirst(width.count))
      return .bits(width)
    default: return .scalar(names[first] ?? "")
    }
  }

  private static func object(_ rest: inout String) -> Node {
    if rest.hasPrefix("?") {
      rest = String(rest.dropFirst())
      return .scalar("void (^)()")
    }
    guard rest.hasPrefix("\"") else { return .object(nil) }
    rest = String(rest.dropFirst())
    let name = String(rest.prefix { $0 != "\"" })
    rest = String(rest.dropFirst(name.count + 1))
    return .object(name)
  }

  private static func record(_ rest: inout String, _ keyword: String, _ closer: Character) -> Node {
    let tag = String(rest.prefix { $0 != "=" && $0 != closer })
    rest = String(rest.dropFirst(tag.count))
    var members: [(name: String?, type: Node)] = []
    if rest.hasPrefix("=") { rest = String(rest.dropFirst()) }
    while let next = rest.first, next != closer {
      var name: String?
      if next == "\"" {
        name = String(rest.dropFirst().prefix { $0 != "\"" })
        rest = String(rest.dropFirst(2 + (name?.count ?? 0)))
      }
      let before = rest.count
      members.append((name, type(&rest)))
      if rest.count == before { break }
    }
    rest = String(rest.dropFirst())
    return .record(keyword, tag, members)
  }

  private static func text(of node: Node) -> String {
    switch node {
    case .scalar(let name): return name
    case .pointer(let inner): return text(of: inner) + " *"
    case .const(let inner): return "const " + text(of: inner)
    case .wrapped(let word, let inner): return word + "(" + text(of: inner) + ")"
    case .object(let name): return name.map { $0 + " *" } ?? "id"
    case .array(let count, let element): return text(of: element) + " [" + count + "]"
    case .record(let keyword, let tag, let members):
      guard tag == "?" else { return keyword + " " + tag }
      let list = members.enumerated().map { text(of: $1.type) + " " + ($1.name ?? "x\($0)") + ";" }
      return keyword + " { " + list.joined(separator: " ") + " }"
    case .bits(let width): return "unsigned int : " + width
    }
  }
}
