// The program that declares one of everything, and what the compiler says of it.

import FixtureSupport
import Foundation
import Testing

/// `Tests/Fixtures/programs/interfaces.swift` as a module called `Shop`.
enum ShopProgram {
  static func debug(strips: Bool = false) throws -> String {
    try CompiledProgram.swift("interfaces", as: "shop", module: "Shop", flags: ["-Onone"], strips: strips)
  }

  static func release() throws -> String {
    try CompiledProgram.swift("interfaces", as: "shop", module: "Shop", flags: ["-O"])
  }

  static func built(_ flags: [String]) throws -> String {
    try CompiledProgram.swift("interfaces", as: "shop", module: "Shop", flags: ["-Onone"] + flags)
  }

  /// A declaration of the module, by the symbol graph.
  struct Declaration: Hashable {
    /// The type it belongs to, or itself for a type.
    var owner: String
    var kind: String
    var text: String
  }

  /// What `swift-symbolgraph-extract` says of the module, private declarations included.
  static func symbolGraph() throws -> [Declaration] {
    let tree = TemporaryTree()
    let source = Fixture.path("programs/interfaces.swift")
    for command in [
      [
        "swiftc", "-emit-module", "-parse-as-library", "-module-name", "Shop", source, "-emit-module-path",
        "\(tree.path)/Shop.swiftmodule",
      ],
      [
        "swift-symbolgraph-extract", "-module-name", "Shop", "-I", tree.path, "-output-dir", tree.path,
        "-minimum-access-level", "private", "-omit-extension-block-symbols", "-target",
        "x86_64-unknown-linux-gnu",
      ],
    ] {
      let result = try ChildProcess.run(command)
      try #require(result.exitCode == 0, "\(command): \(result.error)")
    }
    return try ["Shop.symbols.json", "Shop@Swift.symbols.json"].flatMap { file in
      try declarations(Data(contentsOf: URL(fileURLWithPath: "\(tree.path)/\(file)")))
    }
  }

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Kind: Decodable { var identifier: String }
      struct Identifier: Decodable { var precise: String }
      struct Fragment: Decodable { var spelling: String }
      struct Extended: Decodable { var extendedModule: String }
      var kind: Kind
      var identifier: Identifier
      var pathComponents: [String]
      var declarationFragments: [Fragment]?
    }
    var symbols: [Symbol]
  }

  private static func declarations(_ data: Data) throws -> [Declaration] {
    try JSONDecoder().decode(Graph.self, from: data).symbols.compactMap { symbol in
      // What a type has from a protocol's extension is no declaration of its own.
      guard !symbol.identifier.precise.contains("::SYNTHESIZED::"), let fragments = symbol.declarationFragments else {
        return nil
      }
      let isType = ["class", "struct", "enum", "protocol"].contains(symbol.kind.identifier.dropFirst("swift.".count))
      return Declaration(
        owner: symbol.pathComponents.dropLast(isType ? 0 : 1).joined(separator: "."),
        kind: String(symbol.kind.identifier.dropFirst("swift.".count)),
        text: plain(fragments.map(\.spelling).joined()))
    }
  }

  /// A declaration without what no symbol keeps: access, `mutating` and its like, parameters' own names and defaults.
  static func plain(_ declaration: String) -> String {
    var text = declaration
    for word in [
      "public ", "private ", "final ", "convenience ", "mutating ", "borrowing func", "consuming func", "nonisolated ",
      "@escaping ", "prefix ", "@propertyWrapper ", "@main ",
    ] {
      text = text.replacingOccurrences(of: word, with: word.hasSuffix("func") ? "func" : "")
    }
    // `of a: String` is labelled `of`; a subscript's parameter has no label unless it is written twice.
    if text.contains("subscript") {
      text = text.replacing(#/\(([a-z]+): /#) { _ in "(_: " }
    }
    text = text.replacing(#/([(,] ?)([a-z_]+) ([a-z]+): /#) { match in
      text.contains("subscript") && match.2 == match.3 ? match.0 : "\(match.1)\(match.2): "
    }
    text = text.replacing(#/ = [^,)]+/#) { _ in "" }
    // Operators' parameters have no labels.
    if text.contains(#/func [-+=!<>*]/#) { text = text.replacing(#/([(,] ?)([a-z]+): /#) { "\($0.1)_: " } }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
