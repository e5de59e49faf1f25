import Deconstructor
import FixtureSupport
import Testing

/// The standard library's mirror as the judge of what a value consists of.
@Suite struct MirrorComparisonTests {
  /// A value, made up of every shape that a mirror shows in the way we do: labels and leaves must be the same.
  private struct Maker {
    var generator: SeededGenerator

    mutating func value(_ depth: Int) -> Any {
      let most = depth > 0 ? 17 : 7
      switch Int.random(in: 0...most, using: &generator) {
      case 0: return Int.random(in: -1000...1000, using: &generator)
      case 1: return UInt8.random(in: .min ... .max, using: &generator)
      case 2: return Double.random(in: -10...10, using: &generator)
      case 3: return Bool.random(using: &generator)
      case 4: return "text \(Int.random(in: 0...99, using: &generator))"
      case 5: return Float.random(in: 0...1, using: &generator)
      case 6: return Planet.earth
      case 7: return Int64.random(in: .min ... .max, using: &generator)
      case 8: return (0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth - 1) }
      case 9: return (value(depth - 1), label: value(depth - 1))
      case 10: return Generic(one: value(depth - 1), other: Int.random(in: 0...9, using: &generator))
      case 11: return Generic(one: UInt16.random(in: 0...9, using: &generator), other: value(depth - 1))
      case 12: return Box(value(depth - 1))
      case 13: return Either.left(value(depth - 1))
      case 14: return Either.right(value(depth - 1), count: Int.random(in: 0...9, using: &generator))
      case 15: return Either.boxed(.left(value(depth - 1)))
      case 16: return Derived(value(depth - 1), Bool.random(using: &generator))
      default: return Optional(value(depth - 1)) as Any
      }
    }
  }

  struct Generic<One, Other> {
    var one: One
    let other: Other
    var flag = true
    weak var gone: AnyObject?
  }

  indirect enum Either {
    case left(Any)
    case right(Any, count: Int)
    case boxed(Either)
  }

  class Base {
    let base: Any
    init(_ base: Any) { self.base = base }
  }

  final class Derived: Base {
    var own: Bool
    init(_ base: Any, _ own: Bool) {
      self.own = own
      super.init(base)
    }
  }

  /// The leaves of a value as its mirror has them: the labels on the way, and the text.
  private func leaves(_ value: Any, _ path: [String] = []) -> [String] {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      return mirror.children.first.map { leaves($0.value, path) } ?? [line(path, "nil")]
    }
    if mirror.displayStyle == .enum {
      guard let payload = mirror.children.first else { return [line(path, "." + "\(value)")] }
      let inner = Mirror(reflecting: payload.value)
      // The parts of a declared tuple are the case's own; a tuple in an `Any` is a part.
      let isTuple = payload.label == "right"
      return [line(path, "." + (payload.label ?? ""))]
        + (isTuple
          ? inner.children.flatMap { leaves($0.value, path + [$0.label ?? ""]) } : leaves(payload.value, path + [""]))
    }
    var found: [String] = []
    // Own fields first: that is our order.
    var levels: [Mirror] = [mirror]
    while let above = levels.last?.superclassMirror { levels.append(above) }
    for level in levels {
      for (index, child) in level.children.enumerated() {
        let label = child.label ?? "\(index)"
        found += leaves(child.value, path + [label])
      }
    }
    guard levels.allSatisfy(\.children.isEmpty), mirror.displayStyle != .collection else { return found }
    return [line(path, value is String ? "\"\(value)\"" : "\(value)")]
  }

  private func line(_ path: [String], _ text: String) -> String { path.joined(separator: "/") + " = " + text }

  /// The same of our nodes.
  private func leaves(_ nodes: Deconstruction.Nodes) -> [String] {
    var path: [(depth: Int, label: String)] = []
    var found: [String] = []
    for node in nodes {
      while let last = path.last, last.depth >= node.depth { path.removeLast() }
      if node.kind == .group { continue }
      let label = node.label ?? node.index.map { "\($0)" } ?? ""
      if node.depth > 0 { path.append((node.depth, label)) }
      if let value = node.value { found.append(line(path.map(\.label), value)) }
    }
    return found
  }

  @Test(arguments: 0..<20)
  func generatedValues(seed: Int) {
    var maker = Maker(generator: SeededGenerator(seed: UInt64(seed)))
    for _ in 0..<100 {
      let value = maker.value(4)
      let ours = leaves(Deconstruction(of: value, options: .unlimited).nodes)
      let theirs = leaves(value)
      #expect(ours == theirs)
      if ours != theirs { break }
    }
  }

  struct OwnMirror: CustomReflectable {
    var seed: Int
    var customMirror: Mirror {
      var maker = Maker(generator: SeededGenerator(seed: UInt64(seed)))
      let children = (0..<seed % 5).map { (label: Optional("child\($0)"), value: maker.value(2)) }
      return Mirror(self, children: children, displayStyle: .struct)
    }
  }

  @Test(arguments: 1..<40)
  func typesWithAMirrorShowWhatItShows(seed: Int) {
    let value = OwnMirror(seed: seed)
    let expected = Mirror(reflecting: value).children.flatMap { leaves($0.value, [$0.label ?? ""]) }
    #expect(leaves(Deconstruction(of: value, options: .unlimited).nodes) == expected)
    #expect(leaves(Deconstruction(of: value, options: .raw).nodes) == ["seed = \(seed)"])
  }
}
