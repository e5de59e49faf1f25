// A demangled symbol, taken apart into what it belongs to and what it declares.

import Symbolication

/// What a demangled text says: in which module's extension, of which type, which declaration.
struct SymbolText {
  /// The modules of the extensions around it, the outermost last.
  var extensions: [String] = []
  /// The type it belongs to, with its module and without the marks of private names: `Shop.Order.Status`.
  var owner: String
  /// What must hold for the extension it is in: `A == Swift.Int`.
  var constraints: [String] = []
  /// The declaration, with modules.
  var entity: SwiftEntity
  /// The name, its generic clause left out.
  var name: String
  /// Its own generic clause, with angles; empty where it has none.
  var genericClause: String
  /// Whether it is private to a file.
  var isPrivate: Bool

  /// `nil` for text of another form: what the compiler made, or what is within a function.
  init?(_ demangled: String) {
    let isStatic = demangled.hasPrefix("static ")
    let (extensions, text) = Self.extensions(before: demangled.dropFirst(isStatic ? 7 : 0))
    guard let entity = SwiftEntity((isStatic ? "static " : "") + String(text)), entity.phrase.isEmpty else {
      return nil
    }
    self.init(entity, ownNames: entity.ownNames)
    self.extensions = extensions
  }

  /// The declaration alone, as the text of one in a local type has it.
  init?(memberOfLocalType text: String) {
    guard let entity = SwiftEntity(text), entity.phrase.isEmpty, entity.path.count == entity.ownNames else {
      return nil
    }
    self.init(entity, ownNames: entity.ownNames)
  }

  /// The modules of the extensions that a text begins with, the outermost last, and the rest of it.
  static func extensions(before text: Substring) -> (modules: [String], rest: Substring) {
    var (modules, rest) = ([String](), text)
    while rest.hasPrefix("(extension in "), let end = TextSearch.firstRange(of: "):", in: rest) {
      modules.insert(String(rest.dropFirst(14)[..<end.lowerBound]), at: 0)
      rest = rest[end.upperBound...]
    }
    return (modules, rest)
  }

  private init?(_ entity: SwiftEntity, ownNames: Int) {
    self.entity = entity
    let owners = entity.path.dropLast(ownNames)
    let own = entity.path.count - ownNames
    guard own >= 0, own < entity.path.count else { return nil }
    (name, genericClause) = Self.split(entity.path[own])
    isPrivate = entity.isPrivate[own]
    owner = owners.map { Self.split($0).name }.joined(separator: ".")
    if let clause = owners.last.map(Self.split)?.clause { constraints = Self.requirements(of: clause) }
  }

  /// `map<A>` as `map` and `<A>`; an operator such as `<` is a name.
  private static func split(_ name: String) -> (name: String, clause: String) {
    guard name.hasSuffix(">"), let angle = name.firstIndex(of: "<"), angle != name.startIndex,
      name[..<angle].unicodeScalars.last.map({ $0 == "_" || $0.properties.isXIDContinue || $0 == ")" }) ?? false
    else {
      // `<< <A>`: an operator with a clause keeps them apart.
      return (name, "")
    }
    return (String(name[..<angle]), String(name[angle...]))
  }

  /// The requirements behind `where` of a clause in angles.
  static func requirements(of clause: String) -> [String] {
    let text = DemangledText(clause)
    guard let place = text.whereClause else { return [] }
    return text.list(place + 7..<max(place + 7, text.bytes.count - 1))
  }

  /// The parameters of a clause in angles: `<A, B where …>`.
  static func parameters(of clause: String) -> [String] {
    let text = DemangledText(clause)
    guard text.bytes.count > 2 else { return [] }
    return text.list(1..<(text.whereClause ?? text.bytes.count - 1)).filter { !$0.isEmpty }
  }
}

extension DemangledText {
  /// Where ` where ` of a clause in angles is.
  fileprivate var whereClause: Int? {
    guard bytes.first == UInt8(ascii: "<") else { return nil }
    return DemangledText(text(1..<bytes.count)).find(" where ", from: 0).map { $0 + 1 }
  }
}
