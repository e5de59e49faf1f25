// What is left of declarations in programs that were built to tell less, and what is said about it.

import FixtureSupport
import Testing
import TypeInterfaces

@Suite("programs that tell less")
struct BuildTests {
  private func interface(_ name: String, in path: String) throws -> TypeInterface {
    try #require(try TypeInterface.all(in: path).first { $0.name == name })
  }

  @Test("stripped: fields, cases and conformances, and a word about members")
  func stripped() throws {
    let path = try ShopProgram.debug(strips: true)
    let order = try interface("Order", in: path)
    #expect(order.storedProperties.map(\.name).prefix(3) == ["id", "latest", "owner"])
    #expect(order.storedProperties[1].declaration == "weak var latest: Order?")
    #expect(order.superclass == "Record" && order.conformances.map(\.name) == ["Named"])
    #expect(order.gaps.contains(.symbols))
    let shape = try interface("Shape", in: path)
    #expect(
      shape.cases.map(\.declaration).sorted() == [
        "case circle(radius: Double)", "case none", "case rect(Double, Double)", "indirect case nested(Shape)",
      ])
    // Nothing of a private type is exported.
    let hidden = try interface("Hidden", in: path)
    #expect(
      hidden.members.isEmpty && hidden.gaps.contains(.symbols) && hidden.storedProperties.map(\.name) == ["value"])
  }

  @Test("without reflection metadata: members, what symbols name of fields, and a word about it")
  func noReflection() throws {
    let path = try ShopProgram.built(["-Xfrontend", "-disable-reflection-metadata"])
    let order = try interface("Order", in: path)
    #expect(order.gaps.contains(.reflection))
    #expect(order.members.contains { $0.declaration == "func sum(of: String, rate: Double) async throws -> Double" })
    #expect(order.storedProperties.contains { $0.name == "id" && $0.type == "Int" && $0.isVariable == nil })
    let shape = try interface("Shape", in: path)
    #expect(shape.cases.isEmpty && shape.gaps.contains(.reflection) && shape.layout?.size == 17)
  }

  @Test("with the standard library linked in: the same declarations, and the library's")
  func staticStandardLibrary() throws {
    let whole = try interface("Order", in: ShopProgram.debug())
    let path = try ShopProgram.built(["-static-stdlib"])
    let source = try InterfaceSource(ofFileAt: path)
    let listed = try #require(source.types.first { $0.qualifiedName == "Shop.Order" })
    #expect(source.interface(of: listed).members.map(\.declaration) == whole.members.map(\.declaration))
    #expect(
      source.interface(of: listed).storedProperties.map(\.declaration) == whole.storedProperties.map(\.declaration))
    #expect(source.types.contains { $0.qualifiedName == "Swift.String" && $0.kind == .struct })
  }

  @Test("a resilient module: requirements have symbols of their own")
  func resilient() throws {
    let path = try ShopProgram.built(["-enable-library-evolution"])
    let store = try interface("Store", in: path)
    #expect(store.members.map(\.declaration).contains("func put(_: Self.Item, key: Self.Key) throws -> Bool"))
    #expect(store.gaps == [])
  }

  @Test("what is no Swift program is said to be none")
  func errors() throws {
    let tree = TemporaryTree()
    tree.write("text", "not a program")
    #expect(throws: TypeInterfaceError.self) { try TypeInterface.all(in: tree.path + "/text") }
    #expect(throws: TypeInterfaceError.self) { try TypeInterface.all(in: tree.path + "/absent") }
    let path = try CompiledProgram.clang("int main(void) { return 0; }", as: "plain", in: tree)
    #expect(throws: TypeInterfaceError.noSwiftTypes(path: path)) { try TypeInterface.all(in: path) }
  }
}
