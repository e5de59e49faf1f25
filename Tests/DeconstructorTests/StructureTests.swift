import CAllocationCounter
import Deconstructor
import FixtureSupport
import Foundation
import Testing

/// The result as a structure: written, read back, counted.
@Suite struct StructureTests {
  @Test func encodingAndTheRendererAgree() throws {
    let example = Shop.example()
    defer { example.order.onChange = nil }
    for change in [{ $0.showsAddresses = true }, { $0.showsSizes = true }, { $0.nodeLimit = 9 }, { $0.view = .raw }]
      as [(inout DeconstructionOptions) -> Void]
    {
      var options = DeconstructionOptions()
      change(&options)
      let found = Deconstruction(of: example.order, options: options)
      let decoded = try JSONDecoder().decode(Deconstruction.self, from: Data(found.json.utf8))
      #expect(Array(decoded.nodes) == Array(found.nodes))
      #expect(decoded.cycles == found.cycles && decoded.summary == found.summary)
      let byHand = try #require(JSONSerialization.jsonObject(with: Data(found.json.utf8)) as? NSDictionary)
      let encoded = try JSONEncoder().encode(found)
      let byEncoder = try #require(JSONSerialization.jsonObject(with: encoded) as? NSDictionary)
      #expect(byHand == byEncoder)
      // The text of what was read is the text of what was written.
      var plain = found
      plain.options = decoded.options
      #expect(decoded.description == plain.description)
    }
  }

  @Test func damagedJSONIsAnErrorOrAResultThatCanBeWritten() throws {
    let example = Shop.example()
    defer { example.order.onChange = nil }
    let json = Array(Deconstruction(of: example.order).json.utf8)
    var generator = SeededGenerator(seed: 7)
    var read = 0
    for _ in 0..<2000 {
      let damaged = Data(generator.damaged(json))
      guard let found = try? JSONDecoder().decode(Deconstruction.self, from: damaged) else { continue }
      read += 1
      #expect(found.description.utf8.count > 0 && found.oneLine.utf8.count > 0 && found.json.utf8.count > 0)
    }
    #expect(read > 0)
  }

  @Test func textGoesToAStreamAndTheValueComesBack() {
    var stream = ""
    let value = deconstruct([1, 2], to: &stream)
    #expect(value == [1, 2])
    #expect(stream == "[Int] = [1, 2]\n")
    var options = DeconstructionOptions()
    options.format = .oneLine
    options.label = "numbers"
    stream = ""
    deconstruct([1, 2], to: &stream, options: options)
    #expect(stream == "numbers: [1, 2]\n")
  }

  @Test func formsCanBeRegisteredForTypesOfOthers() {
    RegisteredForms.register(for: Money.self) { .text("\($0.cents / 100).\($0.cents % 100) \($0.currency)") }
    let money = Money(cents: 1250, currency: "EUR")
    #expect(Deconstruction(of: [money]).oneLine == "[12.50 EUR]")
    #expect(Deconstruction(of: money, options: .raw).oneLine == "Money(cents: 1250, currency: \"EUR\")")
    RegisteredForms.remove(for: Money.self)
    #expect(Deconstruction(of: money).oneLine == "Money(cents: 1250, currency: \"EUR\")")
  }

  @Test func debugDeconstructDoesNothingInRelease() {
    var isComputed = false
    func value() -> Int {
      isComputed = true
      return 5
    }
    debugDeconstruct(value())
    #if DEBUG
      #expect(isComputed)
    #else
      #expect(!isComputed)
    #endif
  }

  final class ThreeWords { var words = (1, 2, 3) }

  /// A header and three words are 40 bytes, which malloc serves exactly or with 16 or 32 to spare.
  @Test func bytesAreWhatMallocGave() {
    let objects = [ThreeWords(), ThreeWords()]
    let one = Deconstruction(of: objects[0]).summary
    #expect(one.allocationCount == 1 && (40...72).contains(one.allocatedBytes))
    let both = Deconstruction(of: (objects[0], objects[1], objects[0])).summary
    #expect(both.allocationCount == 2 && (80...144).contains(both.allocatedBytes))
  }

  @Test func declarationsStandAboveTheValueEachOnce() throws {
    var options = DeconstructionOptions()
    options.declaration = { type in type == ThreeWords.self ? "class ThreeWords {}" : nil }
    let found = Deconstruction(of: [ThreeWords(), ThreeWords()] as [Any], options: options)
    #expect(found.declarations == ["class ThreeWords {}"])
    #expect(found.description.hasPrefix("class ThreeWords {}\n\n[Any] = 2 elements\n"), "\(found)")
    #expect(Deconstruction(of: ThreeWords()).declarations.isEmpty)
    // Of the toolchain's own there are none to show.
    options.declaration = { "\($0)" }
    #expect(Deconstruction(of: ["a": Range(1...3)], options: options).declarations.isEmpty)
  }

  @Test func limitsOutOfRangeAreBrought() {
    var options = DeconstructionOptions()
    (options.depthLimit, options.childLimit, options.stringLimit, options.nodeLimit) = (-1, -5, .min, 0)
    options.width = -3
    #expect(Deconstruction(of: [[1]], options: options).nodes.count == 1)
    #expect(Deconstruction(of: "abc", options: options).description == "String = \"…\" and 3 more bytes\n")
  }

  /// Speed, guarded by a count: a walk allocates for its tables and types, and not for each value.
  @Test func valuesWithoutPartsOfTheirOwnAllocateNothing() {
    guard cac_allocations() > 0 else { return }
    let lines = (0..<10_000).map { Line(sku: "sku \($0)", quantity: $0) }
    _ = Deconstruction(of: lines, options: .unlimited)
    let before = cac_allocations()
    let found = Deconstruction(of: lines, options: .unlimited)
    let allocations = cac_allocations() - before
    #expect(found.nodes.count == 30_001)
    // Without optimisation strings are copied that a release does without.
    var limit: UInt = 200
    assert({ limit = 60_000 }() == ())
    #expect(allocations < limit)
  }

  /// Blocks of this thread alone are counted, so other tests may run beside this one.
  @Test func nothingIsLeftBehind() {
    let example = Shop.example()
    defer { example.order.onChange = nil }
    let values: [Any] = [
      example.order, [1: "a", 2: "b"], Status.returned(1, reason: "a reason that is long enough for the heap"),
      KindsOfValues.all.first { $0.name == "existentials" }?.values() as Any, Mirrored(), CustomParts(),
    ]
    for value in values { _ = Deconstruction(of: value).description }
    let before = cac_outstanding_blocks()
    for _ in 0..<1000 { for value in values { _ = Deconstruction(of: value).description } }
    let grown = cac_outstanding_blocks() - before
    // The runtime keeps a few things that it looks up for the first time.
    #expect(grown.magnitude < 20)
  }
}
