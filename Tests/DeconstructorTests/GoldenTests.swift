import Deconstructor
import FixtureSupport
import Foundation
import Testing

/// Texts that were looked at, one for each option and each kind of type.
@Suite struct GoldenTests {
  private func text<Value>(_ value: Value, _ change: (inout DeconstructionOptions) -> Void = { _ in }) -> String {
    var options = DeconstructionOptions()
    change(&options)
    return Deconstruction(of: value, options: options).description
  }

  /// Lets go of the one cycle of the example.
  private func withExample(_ body: (Order) -> String) -> String {
    let example = Shop.example()
    defer { example.order.onChange = nil }
    return withExtendedLifetime(example.shop) { body(example.order) }
  }

  @Test func graphOfThirtyFields() {
    let found = difference(withExample { text($0) }, "deconstruct/order.txt")
    #expect(found == nil)
  }

  @Test(
    arguments: [
      "label", "depth", "children", "strings", "nodes", "raw", "one-line", "json", "sizes", "colour", "narrow",
      "redacted",
    ])
  func options(name: String) {
    let shown = withExample { order in
      text(order) { options in
        switch name {
        case "label": options.label = "order"
        case "depth": options.depthLimit = 1
        case "children": options.childLimit = 2
        case "strings": options.stringLimit = 4
        case "nodes": options.nodeLimit = 12
        case "raw": options.view = .raw
        case "one-line": options.format = .oneLine
        case "json": options.format = .json
        case "sizes": (options.showsSizes, options.showsOffsets) = (true, true)
        case "colour": options.colour = .always
        case "narrow": options.width = 30
        default:
          options.redactedNames = ["number", "pear"]
          options.redactedTypes = ["Date"]
        }
      }
    }
    let found = difference(shown, "deconstruct/option-\(name).txt")
    #expect(found == nil)
  }

  @Test(arguments: KindsOfValues.all)
  func kinds(kind: KindsOfValues.Kind) {
    let shown = kind.values().map { text($0) }.joined(separator: "\n")
    let found = difference(shown, "deconstruct/kind-\(kind.name).txt")
    #expect(found == nil)
  }

  @Test func addressesAreShownWhenAskedAndOnlyThen() throws {
    let object = Shop()
    let address = "0x" + String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16)
    #expect(text(object) { $0.showsAddresses = true }.contains(address))
    let plain = text(object)
    #expect(!plain.contains("0x"))
    let node = try #require(Deconstruction(of: object).nodes.first)
    #expect(node.address == nil)
  }

  @Test func theTextIsTheSameEachTime() {
    let value: [AnyHashable: Any] = ["b": 1, 2: [3: "x", 1: "y"], 10: Set((0..<50).map { "\($0)" }), "a": 2.5]
    let first = text(value)
    for _ in 0..<5 { #expect(text(value) == first) }
  }
}
