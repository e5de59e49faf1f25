/// A sawtooth: work piles up for a --period and is released at once, as batches and log buffers do.
enum SawtoothScenario: Scenario {
  static let name = "sawtooth"
  static let summary = "grows to --size over each --period, then releases it"

  static func run(_ pace: Pace) {
    var blocks = BlockPile()
    pace.every(0.05) { elapsed in
      let phase = (elapsed / pace.options.period).truncatingRemainder(dividingBy: 1)
      blocks.resize(toBytes: phase * pace.options.size)
    }
    withExtendedLifetime(blocks) {}
  }
}

/// Blocks large enough to have mappings of their own, so that releasing one shows at once.
struct BlockPile {
  private static let blockBytes = 262_144
  private var blocks: [[UInt8]] = []

  mutating func resize(toBytes bytes: Double) {
    let count = Int(bytes / Double(Self.blockBytes))
    if count < blocks.count { blocks.removeLast(blocks.count - count) }
    while blocks.count < count { blocks.append(Array(repeating: 1, count: Self.blockBytes)) }
  }
}
