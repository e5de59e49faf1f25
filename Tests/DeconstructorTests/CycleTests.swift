import Deconstructor
import Foundation
import Testing

@Suite struct CycleTests {
  final class Node {
    let name: String
    var strong: [Node] = []
    weak var back: Node?
    unowned(unsafe) var unsafe: Node?
    var action: (() -> Void)?
    init(_ name: String) { self.name = name }
  }

  private func cycles(_ node: Node) -> [Deconstruction.Cycle] {
    Deconstruction(of: node).cycles.map { cycle in
      // The types of these tests are nested in the suite.
      let path = cycle.path.replacingOccurrences(of: "CycleTests.", with: "")
      return Deconstruction.Cycle(path: path, closedBy: cycle.closedBy, count: cycle.count)
    }
  }

  @Test func aWeakReferenceBreaksIt() {
    let parent = Node("p")
    let child = Node("c")
    parent.strong = [child]
    child.back = parent
    #expect(
      cycles(parent) == [Deconstruction.Cycle(path: "Node.strong[0] -> Node.back -> Node", closedBy: .weak, count: 1)])
    #expect(cycles(child).isEmpty)
  }

  @Test func closuresKeepWhatTheyCapture() {
    let node = Node("n")
    node.action = { node.strong = [] }
    #expect(cycles(node).map(\.path) == ["Node.action -> closure -> Node"])
    #expect(cycles(node).map(\.isRetainCycle) == [true])
    node.action = { [weak node] in node?.strong = [] }
    #expect(cycles(node).allSatisfy { $0.closedBy == .weak } && cycles(node).count == 1)
    node.action = { [unowned node] in node.strong = [] }
    #expect(cycles(node).allSatisfy { $0.closedBy == .unowned } && cycles(node).count == 1)
    node.action = nil
    #expect(cycles(node).isEmpty)
  }

  @Test func closuresInClosuresAndVariablesAreFollowed() {
    let node = Node("n")
    let inner = { node.strong = [] }
    var count = 0
    node.action = {
      count += 1
      inner()
    }
    #expect(cycles(node).map(\.isRetainCycle) == [true])
    let text = Deconstruction(of: node).description
    #expect(text.contains("captures var Int = 0"))
    var variable: Node? = node
    node.action = { variable = variable?.strong.first }
    #expect(cycles(node).map(\.isRetainCycle) == [true])
    variable = nil
    #expect(cycles(node).isEmpty)
    node.action = nil
  }

  /// A closure kept by the variable that it captures.
  @Test func aClosureThatCapturesItself() {
    var action: (() -> Int)?
    action = { action == nil ? 0 : 1 }
    let found = Deconstruction(of: action)
    #expect(found.cycles.map(\.isRetainCycle) == [true])
    action = nil
  }

  final class Handler {
    var onEvent: ((Int, String) -> Bool)?
    var generic: [(Any) -> Any] = []
    func handle(_ number: Int, _ text: String) -> Bool { true }
  }

  @Test func methodsAsClosuresKeepTheirObject() {
    let handler = Handler()
    handler.onEvent = handler.handle
    #expect(Deconstruction(of: handler).cycles.map(\.isRetainCycle) == [true])
    handler.onEvent = nil
    handler.generic = [{ value in handler.handle(0, "") ? value : 1 }]
    #expect(Deconstruction(of: handler).cycles.map(\.isRetainCycle) == [true])
    handler.generic = []
  }

  final class Store<Item> {
    var items: [Item]
    var onChange: (() -> Int)?
    init(_ items: [Item]) { self.items = items }
    func observe(_ offset: Int) { onChange = { self.items.count + offset } }
    func compare(_ item: Item) {
      onChange = {
        _ = item; return self.items.count
      }
    }
  }

  /// The types of such captures depend on the parameters of the class; the objects are found all the same.
  @Test func objectsOfGenericClassesAreFoundInClosures() {
    let store = Store([1, 2])
    store.observe(3)
    #expect(Deconstruction(of: store).cycles.map(\.isRetainCycle) == [true])
    store.compare(4)
    let text = Deconstruction(of: store).description
    // An optimizer makes a copy of the class for `Int`, whose captures can be read.
    #expect(text.contains("of types that depend on a generic context") || text.contains("captures Int = 4"))
    store.onChange = nil
  }

  @Test func cyclesOfTheSameKindAreCountedTogether() {
    let nodes = (0..<50).map { Node("\($0)") }
    for (one, other) in zip(nodes, nodes.dropFirst()) {
      one.strong = [other]
      other.strong = [one]
    }
    // Each list now holds the last that was assigned: chain them again, both ways.
    for index in 1..<49 { nodes[index].strong = [nodes[index - 1], nodes[index + 1]] }
    let found = Deconstruction(of: nodes[0], options: .unlimited)
    #expect(found.cycles.count < 5)
    #expect(found.cycles.reduce(0) { $0 + $1.count } == 49)
    for node in nodes { node.strong = [] }
  }

  @Test func aLongCycleIsShortenedInTheMiddle() throws {
    let nodes = (0..<1000).map { Node("\($0)") }
    for (index, node) in nodes.enumerated() { node.strong = [nodes[(index + 1) % nodes.count]] }
    let cycle = try #require(Deconstruction(of: nodes[0], options: .unlimited).cycles.first)
    #expect(cycle.path.contains("more …"))
    #expect(cycle.path.utf8.count < 500)
    for node in nodes { node.strong = [] }
  }

  @Test func theTotalIsTheSameFromAnyObjectOfACycle() {
    let nodes = (0..<7).map { Node("node number \($0) with a name on the heap") }
    for (index, node) in nodes.enumerated() { node.strong = [nodes[(index + 1) % 7], nodes[(index + 3) % 7]] }
    let totals = Set(nodes.map { Deconstruction(of: $0).summary.allocatedBytes })
    #expect(totals.count == 1)
    for node in nodes { node.strong = [] }
  }
}
