extension SwiftEntity {
  private static let accessors = [
    "getter": "get", "setter": "set", "modify": "_modify", "read": "_read", "modify2": "modify", "read2": "read",
    "willset": "willSet", "didset": "didSet", "init": "init", "unsafeAddressor": "unsafeAddress",
    "unsafeMutableAddressor": "unsafeMutableAddress", "materializeForSet": "materializeForSet",
  ]

  /// The accessor that a path ends in: `count.getter`, followed by the type.
  package var accessor: String? {
    guard path.count > 1, rest.hasPrefix(" : "), let last = path.last else { return nil }
    return Self.accessors[last]
  }

  /// How many names of the path are the declaration's own.
  package var ownNames: Int { accessor != nil && path.count > 1 ? 2 : 1 }

  /// The declaration in the source, with what is said before it.
  func declaration(in mangled: String) -> String {
    phrase + (isStatic ? "static " : "") + core(in: mangled)
  }

  /// What it is declared in: `class Counter`.
  func context(in mangled: String) -> String? {
    let owners = path.dropLast(ownNames)
    guard let last = owners.last else { return nil }
    let name = owners.joined(separator: ".")
    let plain = last.prefix { $0 != "<" }
    return SwiftTypeKind.find(plain, in: mangled).map { "\($0.keyword) \(name)" } ?? name
  }

  private func core(in mangled: String) -> String {
    let name = path.last ?? ""
    if let accessor {
      let type = String(rest.dropFirst(3))
      let variable = path[path.count - 2]
      return Self.variable(variable, type) + " { \(accessor) }"
    }
    if rest.hasPrefix(" : ") { return Self.variable(name, String(rest.dropFirst(3))) }
    switch name.prefix(while: { $0 != "<" }) {
    case "init", "__allocating_init": return Self.initializer(generic: String(name.drop { $0 != "<" }), rest)
    case "deinit", "__deallocating_deinit", "__ivar_destroyer": return "deinit"
    case "subscript": return Self.subscripted(name, rest)
    default: break
    }
    if let fixity = Self.fixity(of: rest) {
      return (fixity == " infix" ? "" : fixity.dropFirst() + " ") + "func " + name + " "
        + Self.signature(String(rest.dropFirst(fixity.count)), labels: false)
    }
    if rest.isEmpty {
      return SwiftTypeKind.find(name.prefix { $0 != "<" }, in: mangled).map { "\($0.keyword) \(name)" } ?? name
    }
    let isCase = phrase.hasSuffix("enum case for ")
    guard !isCase else { return "case " + name + Self.parameters(rest) }
    return "func " + name + Self.signature(rest, labels: true)
  }

  private static func variable(_ name: String, _ type: String) -> String {
    name == "subscript" || name.hasPrefix("subscript<")
      ? subscripted(name, type) : "var \(name): \(type)"
  }

  private static func subscripted(_ name: String, _ rest: String) -> String { name + signature(rest, labels: true) }

  /// `init(side: Double)`; `init?` where the result is optional.
  private static func initializer(generic: String, _ rest: String) -> String {
    let text = DemangledText(rest)
    guard rest.hasPrefix("(") else { return "init" + generic + rest }
    let close = text.closing(0)
    let arrow = text.find(" -> ", from: close)
    let effects = text.text(close..<(arrow ?? text.bytes.count))
    return (rest.hasSuffix("?") ? "init?" : "init") + generic + parameters(rest) + effects
  }

  /// `(a: Int, _: String) throws -> Bool`; without a result where it is `()`.
  private static func signature(_ rest: String, labels: Bool) -> String {
    let text = DemangledText(rest)
    // Only a parameter list can be rewritten; a variable of function type keeps its text.
    guard rest.hasPrefix("(") else { return rest }
    let close = text.closing(0)
    var tail = text.text(close..<text.bytes.count)
    if tail.hasSuffix(" -> ()"), text.find(" -> ", from: close).map({ $0 + 6 == text.bytes.count }) ?? false {
      tail = String(tail.dropLast(6))
    }
    return (labels ? parameters(rest) : text.text(0..<close)) + tail
  }

  /// The parameters, each with a label: the demangler leaves labels out where there are none.
  private static func parameters(_ rest: String) -> String {
    let text = DemangledText(rest)
    let close = text.closing(0)
    guard close >= 2 else { return "()" }
    let list = text.list(1..<close - 1).map { hasLabel($0) ? $0 : "_: " + $0 }
    return "(" + list.joined(separator: ", ") + ")"
  }

  package static func hasLabel(_ parameter: String) -> Bool {
    guard let colon = parameter.firstIndex(of: ":") else { return false }
    return parameter[..<colon].utf8.allSatisfy {
      $0 == 0x5F || $0 >= 0x80 || ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x30 && $0 <= 0x39
    }
  }
}
