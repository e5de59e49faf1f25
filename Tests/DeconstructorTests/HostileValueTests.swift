import Deconstructor
import FixtureSupport
import Foundation
import Testing

/// Values that bring other dumpers down, each with the report it comes from in its name or comment.
@Suite struct HostileValueTests {
  private func text<Value>(_ value: Value, _ options: DeconstructionOptions = DeconstructionOptions()) -> String {
    plain(Deconstruction(of: value, options: options).description)
  }

  /// The types of these tests are nested in the suite.
  private func plain(_ text: String) -> String { text.replacingOccurrences(of: "HostileValueTests.", with: "") }

  // MARK: Never stops, or runs out of stack

  final class Pair {
    var a: Pair?
    var b: Pair?
  }

  @Test func eachOfThreeObjectsPointsAtTheOtherTwo() {
    let nodes = [Pair(), Pair(), Pair()]
    for (index, node) in nodes.enumerated() {
      node.a = nodes[(index + 1) % 3]
      node.b = nodes[(index + 2) % 3]
    }
    defer { for node in nodes { (node.a, node.b) = (nil, nil) } }
    let found = Deconstruction(of: nodes[0])
    #expect(found.summary.objectCount == 3)
    #expect(found.nodes.filter { $0.sighting == .first }.count == 3)
    #expect(found.cycles.contains { $0.isRetainCycle })
  }

  final class Bag { var contents: [String: Any] = [:] }

  @Test func aCycleThroughADictionaryAndAnExistential() {
    let bag = Bag()
    bag.contents["me"] = [bag]
    defer { bag.contents = [:] }
    let found = Deconstruction(of: bag)
    #expect(found.cycles.map { plain($0.path) } == ["Bag.contents[\"me\"][0] -> Bag"])
    #expect(found.cycles.first?.isRetainCycle == true)
  }

  struct Holder { var value: Any }

  @Test func identityIsFollowedThroughValues() {
    let bag = Bag()
    bag.contents["x"] = Holder(value: Holder(value: Optional(bag) as Any))
    defer { bag.contents = [:] }
    #expect(Deconstruction(of: Holder(value: bag)).cycles.count == 1)
  }

  struct Endless: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["me": Endless(), "again": Endless()]) }
  }

  @Test func aMirrorThatMakesItselfEndsAtTheBudgets() {
    let found = Deconstruction(of: Endless())
    #expect(found.nodes.count <= 10_001)
    #expect(found.summary.isTruncated)
    #expect(text(Endless(), .raw) == "Endless()\n")
  }

  struct EndlessChildren: CustomReflectable {
    var customMirror: Mirror {
      Mirror(self, unlabeledChildren: (0..<Int.max).lazy.map { $0 }, displayStyle: .collection)
    }
  }

  @Test func childrenWithoutEndAreCutAtTheLimit() throws {
    // How many more there are, nobody can tell.
    let found = Deconstruction(of: EndlessChildren())
    #expect(found.description.hasPrefix("HostileValueTests.EndlessChildren = more elements than are shown\n"))
    #expect(found.description.hasSuffix("… more elements\n"))
    #expect(found.nodes[0].count == nil && found.nodes.last?.count == nil)
    let decoded = try JSONDecoder().decode(Deconstruction.self, from: JSONEncoder().encode(found))
    #expect(decoded.description == found.description)
  }

  struct DumpsItself: CustomStringConvertible, CustomDebugStringConvertible {
    var field = 1
    var description: String {
      var output = ""
      dump(self, to: &output)
      return output
    }
    var debugDescription: String { description }
  }

  @Test func aDescriptionThatDumpsItselfIsNotAsked() {
    #expect(text(DumpsItself()) == "DumpsItself(field: 1)\n")
    #expect(text([DumpsItself()] as [Any]).contains("field: 1"))
    #expect(text([DumpsItself(): 1] as [AnyHashable: Int]).contains("1"))
    #expect(text(Holder(value: DumpsItself()...DumpsItself())).contains("lowerBound"))
  }

  final class CallsUs: CustomReflectable, CustomDeconstructible {
    var field = 1
    var customMirror: Mirror { Mirror(self, children: ["text": Deconstruction(of: self).description]) }
    var deconstructedForm: DeconstructedForm { .text(Deconstruction(of: self).oneLine) }
  }

  @Test func aFormThatCallsUsSeesStoredFields() {
    #expect(text(CallsUs()).hasPrefix("CallsUs #1 CallsUs #1(field: 1)"))
  }

  final class Link {
    var value: Int
    var next: Link?
    init(_ value: Int, _ next: Link?) {
      self.value = value
      self.next = next
    }
  }

  /// Half a megabyte of stack, as threads of a pool have.
  @Test func aListOfAHundredThousandOnASmallStack() throws {
    var head: Link?
    for value in 0..<100_000 { head = Link(value, head) }
    nonisolated(unsafe) let list = head
    nonisolated(unsafe) var summary: Deconstruction.Summary?
    nonisolated(unsafe) var length = 0
    let thread = Thread {
      let found = Deconstruction(of: list, options: .unlimited)
      length = found.description.utf8.count + found.oneLine.utf8.count
      summary = found.summary
    }
    thread.stackSize = 512 << 10
    thread.start()
    while !thread.isFinished { usleep(1000) }
    #expect(summary?.objectCount == 100_000)
    // Linear: an indentation for each level would take gigabytes.
    #expect(length < 30_000_000)
    while let link = head { (head, link.next) = (link.next, nil) }
  }

  indirect enum Chain {
    case end
    case link(Int, Chain)
  }

  @Test func anIndirectEnumOfTwentyThousand() {
    var chain = Chain.end
    for value in 0..<20_000 { chain = .link(value, chain) }
    #expect(Deconstruction(of: chain, options: .unlimited).nodes.count == 40_001)
    // The runtime frees it recursively, which this depth is not too deep for.
  }

  struct Doubled { var one: Any, other: Any }

  @Test func sharedStorageIsShownOnce() {
    var array: [Any] = [1]
    for _ in 0..<40 { array = [array, array] }
    #expect(Deconstruction(of: array, options: .unlimited).nodes.count < 200)
    // Values in boxes are values: these are cut.
    var value = Doubled(one: 1, other: 2)
    for _ in 0..<40 { value = Doubled(one: value, other: value) }
    #expect(Deconstruction(of: value).nodes.count <= 10_001)
  }

  // MARK: Crashes the program

  struct Unowned {
    unowned var strict: Link
    unowned var optional: Link?
    unowned(unsafe) var unsafe: Link
    weak var weak: Link?
  }

  @Test func referencesToWhatIsGone() {
    var link: Link? = Link(1, nil)
    let value = link.map { Unowned(strict: $0, optional: $0, unsafe: $0, weak: $0) }
    #expect(text(value).contains("unowned strict: Link #1, not followed"))
    link = nil
    let gone = text(value)
    #expect(gone.contains("unowned strict: Link = deallocated"))
    #expect(gone.contains("unowned optional: Link? = deallocated"))
    #expect(gone.contains("unowned(unsafe) unsafe: Link = not read"))
    #expect(gone.contains("weak weak: Link? = nil"))
  }

  final class Dying {
    nonisolated(unsafe) static var text = ""
    nonisolated(unsafe) static var isFreed = false
    var child = Child()
    var name = "dying"
    var canary = Canary()
    final class Child {
      unowned(unsafe) var unsafeParent: Dying?; weak var weakParent: Dying?; var back: Unmanaged<Dying>?
    }
    final class Canary { deinit { Dying.isFreed = true } }
    init() {
      child.unsafeParent = self
      child.weakParent = self
    }
    deinit { Self.text = Deconstruction(of: self).description }
  }

  @Test func insideDeinit() {
    do { _ = Dying() }
    let text = plain(Dying.text)
    #expect(text.hasPrefix("Dying #1\n"))
    #expect(text.contains("name: String = \"dying\""))
    #expect(text.contains("weak weakParent: Dying? = nil"))
    #expect(Dying.isFreed)
  }

  @Test func thinMetatypesTakeNoSpace() {
    #expect(text(ThinMetatype()) == "ThinMetatype(meta: Int.self, after: 5)\n")
  }

  @Test func privateAndLocalTypesHaveNamesWithoutAddresses() {
    struct Local: Hashable { var inner = Inner(); struct Inner: Hashable { private var secret = 1 } }
    let shown = text(Local())
    #expect(shown == "Local(inner: Local.Inner(secret: 1))\n")
    let entries = text([AnyHashable(Local()): [Local()]])
    #expect(!entries.contains("unknown context") && entries.contains("Local(inner"))
  }

  @Test func resultsHoldNothing() {
    weak var link: Link?
    let found: Deconstruction
    do {
      let made = Link(1, Link(2, nil))
      link = made
      found = Deconstruction(of: [made, made])
    }
    #expect(link == nil)
    #expect(found.summary.objectCount == 2)
  }

  final class Busy: @unchecked Sendable {
    let links: [Link] = (0..<200).map { Link($0, nil) }
    var count = 0
  }

  /// Fields of objects that another thread changes in ways that are no race for memory: numbers.
  @Test func whileNumbersChange() async {
    let busy = Busy()
    let writer = Task.detached {
      for round in 0..<2000 {
        for link in busy.links { link.value = round }
        if Task.isCancelled { break }
      }
    }
    for _ in 0..<20 { #expect(Deconstruction(of: busy, options: .unlimited).summary.objectCount == 201) }
    writer.cancel()
    await writer.value
  }

  @Test func manyThreadsAtOnce() async {
    let example = Shop.example()
    let expected = Deconstruction(of: example.order).description
    nonisolated(unsafe) let order = example.order
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { (0..<50).allSatisfy { _ in Deconstruction(of: order).description == expected } }
      }
      for await isSame in group { #expect(isSame) }
    }
    example.order.onChange = nil
  }
}

extension HostileValueTests.DumpsItself: Hashable, Comparable {
  static func < (one: Self, other: Self) -> Bool { one.field < other.field }
}
