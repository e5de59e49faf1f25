/// A leak in the strict sense: each round leaves two objects behind that hold each other and that nothing else reaches.
enum CycleScenario: Scenario {
  static let name = "cycle"
  static let summary = "objects that hold each other are forgotten: growth at --rate, unreachable"

  /// Bytes of a pair, its payloads included.
  private static let pairBytes = 2.0 * (48 + 528)

  static func run(_ pace: Pace) {
    var made = 0.0
    pace.every(0.05) { elapsed in
      while made * pairBytes < elapsed * pace.options.rate {
        let first = Node()
        let second = Node()
        first.partner = second
        second.partner = first
        made += 1
      }
    }
  }
}

/// One half of a cycle.
final class Node {
  var partner: Node?
  private let payload = [UInt8](repeating: 7, count: 480)

  init() { LiveCount.nodes.add() }
  deinit { LiveCount.nodes.remove() }
}
