import Symbolication

/// The requirements of protocols, known from the types of a file that implement them: a module that is not resilient has no
/// symbols for requirements themselves.
struct WitnessedRequirements {
  /// The demangled requirements of each protocol, by its name without marks of private names.
  private var byProtocol: [String: [(text: SymbolText, symbol: String)]] = [:]

  init(_ source: InterfaceSource) {
    var seen: Set<String> = []
    for index in 0..<source.symbols.count where MemberSymbol(source.symbols.bytes(index)) == .witness {
      let symbol = source.symbols.name(index)
      guard let demangled = Demangler.demangled(symbol), demangled.hasPrefix("protocol witness for "),
        let end = TextSearch.firstRange(of: " in conformance ", in: demangled)
      else { continue }
      let requirement = String(demangled.dropFirst("protocol witness for ".count)[..<end.lowerBound])
      guard seen.insert(requirement).inserted, let text = SymbolText(requirement) else { continue }
      byProtocol[text.owner, default: []].append((text, symbol))
    }
  }

  func of(_ name: String) -> [(text: SymbolText, symbol: String)] { byProtocol[name] ?? [] }
}
