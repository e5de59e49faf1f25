// From what a symbol says to a member as the source has it.

import Symbolication

/// Makes members of the texts of symbols.
struct MemberReader {
  let spelling: TypeSpelling

  /// A member, and the accessor of it that the symbol is; `nil` for what the source does not declare.
  func read(_ text: SymbolText) -> (member: InterfaceMember, accessor: String?)? {
    let entity = text.entity
    guard let kind = Self.kind(text) else { return nil }
    var member = InterfaceMember(kind: kind, name: text.name)
    member.isStatic = entity.isStatic
    member.isPrivate = text.isPrivate
    switch kind {
    case .deinitializer:
      member.name = "deinit"
      return (member, nil)
    case .property:
      guard entity.rest.hasPrefix(" : ") else { return nil }
      member.type = spelling.type(String(entity.rest.dropFirst(3)))
    case .subscript:
      // Of an accessor the type of the subscript follows, as that of a property does.
      let rest = entity.rest.hasPrefix(" : ") ? String(entity.rest.dropFirst(3)) : entity.rest
      guard fill(&member, text.genericClause, rest) else { return nil }
    case .initializer:
      member.name = "init"
      guard fill(&member, text.genericClause, entity.rest) else { return nil }
    case .method: guard fill(&member, text.genericClause, entity.rest) else { return nil }
    case .operator:
      let fixity = SwiftEntity.fixity(of: entity.rest) ?? ""
      member.fixity = String(fixity.dropFirst())
      guard fill(&member, text.genericClause, String(entity.rest.dropFirst(fixity.utf8.count))) else { return nil }
    }
    return (member, entity.accessor)
  }

  /// What the compiler derives for conformances and for `@main` under names of its own is no one's declaration.
  private static func kind(_ text: SymbolText) -> InterfaceMember.Kind? {
    guard !text.name.hasPrefix("__derived_"), text.name != "$main" else { return nil }
    switch text.name {
    // A function may bear the name too, in quotes.
    case "deinit" where text.entity.rest.isEmpty: return .deinitializer
    case "__deallocating_deinit", "__isolated_deallocating_deinit": return .deinitializer
    case "__ivar_destroyer", "__ivar_initializer": return nil
    case "init", "__allocating_init": return text.entity.accessor == nil ? .initializer : nil
    case "subscript": return .subscript
    default: break
    }
    // Observers are no accessors that a user calls; the storage of laziness is shown as what it stores.
    if let accessor = text.entity.accessor {
      return ["willSet", "didSet", "init"].contains(accessor) || text.name.hasPrefix("$__lazy_storage_")
        ? nil : .property
    }
    if SwiftEntity.fixity(of: text.entity.rest) != nil { return .operator }
    return text.entity.rest.hasPrefix(" : ") ? .property : .method
  }

  /// Reads `<A where …>(of: Swift.Int) async throws -> Swift.Bool`.
  private func fill(_ member: inout InterfaceMember, _ clause: String, _ rest: String) -> Bool {
    var text = DemangledText(rest)
    var clause = clause
    if text.hasText("<", at: 0) {
      let close = text.closing(0)
      clause = text.text(0..<close)
      text = DemangledText(text.text(close..<text.bytes.count))
    }
    member.genericParameters = parameters(clause, rest)
    member.constraints = SymbolText.requirements(of: clause).map(spelling.constraint)
    guard text.hasText("(", at: 0) else { return false }
    let close = text.closing(0)
    guard close >= 2, text.bytes[close - 1] == UInt8(ascii: ")") else { return false }
    member.parameters = text.list(1..<close - 1).map(parameter)
    guard let arrow = text.find(" -> ", from: close) else { return member.kind == .initializer }
    readEffects(text.text(close..<arrow), &member)
    let result = spelling.type(text.text(arrow + 4..<text.bytes.count))
    member.type = result == "()" ? nil : result
    return true
  }

  /// The own parameters. The demangler lists them as if nothing were around them, and calls them by their depth elsewhere.
  private func parameters(_ clause: String, _ rest: String) -> [String] {
    let depth = max(TypeSpelling.depth(in: clause), TypeSpelling.depth(in: rest), spelling.isInProtocol ? 1 : 0)
    return SymbolText.parameters(of: clause).map { parameter in
      // `let A: Swift.Int` and `each A` have a word before the name.
      let isPlain = parameter.utf8.allSatisfy { $0 >= 0x41 && $0 <= 0x5A }
      return isPlain && depth > 0 ? parameter + String(depth) : PrivateNames.removed(from: parameter)
    }
  }

  private func parameter(_ text: String) -> InterfaceMember.Parameter {
    guard SwiftEntity.hasLabel(text), let colon = TextSearch.firstRange(of: ": ", in: text) else {
      return InterfaceMember.Parameter(label: nil, type: spelling.type(text))
    }
    let label = String(text[..<colon.lowerBound])
    return InterfaceMember.Parameter(
      label: label == "_" ? nil : label, type: spelling.type(String(text[colon.upperBound...])))
  }

  private func readEffects(_ text: String, _ member: inout InterfaceMember) {
    member.isAsync = TextSearch.contains(" async", in: text)
    guard let word = TextSearch.firstRange(of: " throws", in: text) else { return }
    let rest = DemangledText(text[word.upperBound...])
    guard rest.hasText("(", at: 0) else {
      member.thrown = "any Error"
      return
    }
    member.thrown = spelling.type(rest.text(1..<max(1, rest.closing(0) - 1)))
  }
}
