// What is written is Swift: the compiler's own parser reads it.

import FixtureSupport
import Foundation
import Testing
import TypeInterfaces

@Suite("the text is Swift")
struct ParsingTests {
  /// The libraries of the toolchain that runs the tests.
  private static let libraries: String = {
    let compiler = (try? ChildProcess.run(["bash", "-c", "readlink -f $(which swift)"]).output) ?? ""
    return compiler.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/lib/swift/linux"
  }()

  private func expectParses(_ text: String, _ name: String) throws {
    let tree = TemporaryTree()
    tree.write("\(name).swiftinterface", text)
    let result = try ChildProcess.run(["swift-frontend", "-parse", "\(tree.path)/\(name).swiftinterface"])
    #expect(result.exitCode == 0, "\(name): \(result.error.prefix(2000))")
  }

  @Test(
    "libraries of the toolchain are rendered without a fault, and parse",
    arguments: [
      ("libFoundation", 190), ("libFoundationEssentials", 300), ("libswiftCore", 400), ("libswift_Concurrency", 70),
      ("libswiftDispatch", 30), ("libTesting", 150), ("libswift_Differentiation", 10),
    ])
  func toolchain(library: String, atLeast count: Int) throws {
    let all = try TypeInterface.all(in: "\(Self.libraries)/\(library).so")
    #expect(all.count >= count)
    #expect(all.contains { !$0.members.isEmpty })
    try expectParses(all.map { $0.text() }.joined(separator: "\n"), library)
  }

  @Test("programs of all kinds parse")
  func programs() throws {
    for path in [
      try ShopProgram.debug(), try ShopProgram.release(), try ShopProgram.debug(strips: true),
      try ShopProgram.built(["-enable-library-evolution"]),
    ] {
      var options = InterfaceTextOptions()
      options.showsOffsets = true
      let text = try TypeInterface.all(in: path).map { $0.text(options) }.joined(separator: "\n")
      #expect(text.contains("Order"))
      try expectParses(text, "shop")
    }
  }
}
