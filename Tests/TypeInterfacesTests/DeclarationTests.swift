// Declarations of a module, against what its compiler says of them.

import FixtureSupport
import Foundation
import Testing
import TypeInterfaces

@Suite("declarations")
struct DeclarationTests {
  private func interfaces(_ path: String) throws -> [String: TypeInterface] {
    let all = try TypeInterface.all(in: path)
    return Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
  }

  /// All that is shown of a type, a line each, in the form that the symbol graph is brought into.
  private func shown(_ type: TypeInterface) -> Set<String> {
    let members = type.members + type.extensions.flatMap(\.members)
    return Set(
      (type.storedProperties.map(\.declaration) + type.cases.map(\.declaration) + members.map(\.declaration)
        + type.associatedTypes.map { "associatedtype \($0)" })
        .map(ShopProgram.plain))
  }

  /// Where the two say the same in other words.
  private func alike(_ declaration: ShopProgram.Declaration) -> Set<String> {
    var text = declaration.text
    // Whether storage is behind a static property, and which constraints an associated type has, is said elsewhere.
    if declaration.kind == "type.property" {
      text = text.replacingOccurrences(of: "static let", with: "static var")
      return Set([text, text + " { get }", text + " { get set }"])
    }
    if declaration.kind == "associatedtype" { text = text.replacing(#/ : .*/#) { _ in "" } }
    text = text.replacingOccurrences(of: " : ", with: ": ")
    if text.contains("lazy var") || text.contains("@Clamped") {
      text = text.replacingOccurrences(of: " { get set }", with: "").replacingOccurrences(
        of: "@Clamped ", with: "@Clamped<Int> ")
    }
    return [text]
  }

  @Test("every declaration that the symbol graph has is there, word for word")
  func complete() throws {
    let types = try interfaces(ShopProgram.debug())
    var compared = 0
    for declaration in try ShopProgram.symbolGraph() {
      let type = try #require(types[declaration.owner], "\(declaration)")
      guard !["class", "struct", "enum", "protocol"].contains(declaration.kind) else { continue }
      // The memberwise initializer of a private struct that nothing calls is never made.
      guard declaration.text != "init(value: Int)" else { continue }
      compared += 1
      #expect(!alike(declaration).isDisjoint(with: shown(type)), "\(declaration) not in \(shown(type).sorted())")
    }
    #expect(compared > 80)
  }

  @Test("nothing is shown that the symbol graph does not have", arguments: [false, true])
  func sound(isRelease: Bool) throws {
    let types = try interfaces(isRelease ? ShopProgram.release() : ShopProgram.debug())
    let graph = Dictionary(grouping: try ShopProgram.symbolGraph(), by: \.owner)
    var compared = 0
    for (name, type) in types where type.module == "Shop" && !type.isLocal {
      let known = Set((graph[name] ?? []).flatMap(alike))
      for text in shown(type) where !text.hasPrefix("deinit") {
        compared += 1
        // What the compiler adds: conformances of enums and actors, and initializers that a class does not inherit.
        let isDerived =
          ["init?(rawValue: String)", "var rawValue: String { get }", "override init()", "init()"].contains(text)
          || text.contains("hashValue") || text.contains("func hash(into") || text.contains("unownedExecutor")
        #expect(isDerived || known.contains(text), "\(name): \(text)")
      }
    }
    #expect(compared > (isRelease ? 40 : 80))
  }

  @Test("kinds, nesting, superclasses, conformances and constraints")
  func heads() throws {
    let types = try interfaces(ShopProgram.debug())
    let order = try #require(types["Order"])
    #expect(order.kind == .class && order.superclass == "Record" && order.module == "Shop")
    #expect(order.conformances.map(\.name) == ["Named"])
    #expect(try #require(types["Bank"]).kind == .actor)
    #expect(try #require(types["Hidden"]).isPrivate)
    #expect(try #require(types["Unique"]).isNoncopyable)
    #expect(
      try #require(types["Order.Status"]).conformances.map(\.name) == ["Equatable", "Hashable", "RawRepresentable"])
    let box = try #require(types["Box"])
    #expect(box.genericParameters == ["A", "B"])
    #expect(Set(box.constraints) == ["A: Hashable", "B: Sequence", "A == B.Element"])
    #expect(
      box.conformances == [InterfaceConformance(name: "Equatable", module: "Swift", constraints: ["B: Equatable"])])
    #expect(box.layout == nil)
    let store = try #require(types["Store"])
    #expect(store.conformances.map(\.name) == ["AnyObject", "Named"] && store.associatedTypes == ["Item", "Key"])
    #expect(store.constraints == ["Self.Item: Hashable"])
    #expect(store.gaps == [])
    let local = try #require(types["Main.Local"])
    #expect(local.isLocal && local.members.map(\.declaration) == ["init()", "func q() -> Int"])
    let string = try #require(types["String"])
    #expect(string.kind == .extension && string.module == "Swift" && string.extensions.map(\.module) == ["Shop"])
    #expect(types["Clock"] == nil)
  }

  @Test("overrides are known by the class's tables")
  func overrides() throws {
    for path in [try ShopProgram.debug(), try ShopProgram.release()] {
      let types = try interfaces(path)
      let order = try #require(types["Order"])
      #expect(order.members.first { $0.name == "describe" }?.isOverride == true)
      #expect(order.members.first { $0.name == "make" }?.declaration == "override class func make() -> Record")
      let record = try #require(types["Record"])
      #expect(record.members.first { $0.name == "make" }?.declaration == "class func make() -> Record")
      #expect(record.members.first { $0.name == "describe" }?.isOverridable == true)
    }
  }

  @Test("closures and functions within members are there when they are asked for")
  func localFunctions() throws {
    var options = InterfaceOptions()
    options.includesLocalFunctions = true
    let source = try InterfaceSource(ofFileAt: ShopProgram.debug())
    let main = try #require(source.types.first { $0.name == "Main" })
    #expect(source.interface(of: main).localFunctions.isEmpty)
    #expect(
      source.interface(of: main, options: options).localFunctions.contains {
        $0.hasPrefix("nested #1 (Int) -> Int in ")
      })
  }

  @Test("the text is the one that was looked at")
  func golden() throws {
    var options = InterfaceTextOptions()
    options.showsOffsets = true
    let text = try TypeInterface.all(in: ShopProgram.debug()).map { $0.text(options) }.joined(separator: "\n")
    #expect(Golden.difference(text, "interfaces-shop.swiftinterface") == nil)
  }

  @Test("values are encoded whole")
  func codable() throws {
    let all = try TypeInterface.all(in: ShopProgram.debug())
    let decoded = try JSONDecoder().decode([TypeInterface].self, from: JSONEncoder().encode(all))
    #expect(decoded == all)
  }
}
