// The rows of Tests/Fixtures/encodings: strings that compilers wrote, and the declarations they mean.
import FixtureSupport
import Foundation
import TypeEncodings

/// A table of tab-separated cells under one line of names.
struct CorpusTable {
  let rows: [[String]]

  init(_ file: String) {
    let text = (try? String(contentsOfFile: Fixture.path("encodings/" + file), encoding: .utf8)) ?? ""
    rows = text.split(separator: "\n", omittingEmptySubsequences: true).dropFirst().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}

/// A row of encodings.tsv.
struct CorpusRow: Sendable {
  enum Kind: String, Sendable, CaseIterable { case type, method, property, block, ivar }

  var kind: Kind
  var encoding: String
  var expected: String
  var runtimes: [String]
  var name: String
  var tree: String
  var expanded: String

  static let all: [CorpusRow] = CorpusTable("encodings.tsv").rows.compactMap { cells in
    guard cells.count == 9, let kind = Kind(rawValue: cells[0]) else { return nil }
    return CorpusRow(
      kind: kind, encoding: cells[1], expected: cells[2], runtimes: cells[3].split(separator: ",").map(String.init),
      name: cells[5], tree: cells[7], expanded: cells[8])
  }

  /// The dialect to read the row in for one of its runtimes.
  static func dialect(of runtime: String) -> EncodingDialect {
    switch runtime {
    case "gnustep2", "gcc-clang": .gnustep2
    case "gcc": .gcc
    default: .apple
    }
  }

  /// The declaration and the tree that this decoder makes of the row.
  func decoded(_ dialect: EncodingDialect, expandedLevels: Int = 0) throws -> (text: String, tree: String) {
    var style = DeclarationStyle(expandedLevels: expandedLevels)
    style.argumentNames = .numbered
    switch kind {
    case .type:
      let type = try TypeEncoding(encoding, dialect: dialect).type
      return (type.declaration(style: style), TreeText.of(type))
    case .ivar:
      let type = try TypeEncoding(encoding, dialect: dialect).type
      return (type.declaration(named: name, style: style) + ";", TreeText.of(type))
    case .method:
      let method = try MethodEncoding(types: encoding, selector: name, dialect: dialect)
      return (method.declaration(style: style), TreeText.of(method))
    case .property:
      let property = try PropertyEncoding(attributes: encoding, name: name, dialect: dialect)
      return (property.declaration(style: style), TreeText.of(property.type))
    case .block:
      let block = try BlockSignature(encoding, dialect: dialect)
      return (block.declaration(style: style), TreeText.of(block))
    }
  }
}
