/// A generator with a seed, so that a failure of a random test can be had again (SplitMix64: Steele, Lea, Flood 2014).
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// The generator of a seed.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// `bytes` with a few changes: bytes replaced, removed, doubled, the end cut off, long digits put in.
  public mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      guard !result.isEmpty else { break }
      let place = Int.random(in: 0..<result.count, using: &self)
      switch UInt8.random(in: 0...5, using: &self) {
      case 0: result[place] = UInt8.random(in: 0...255, using: &self)
      case 1: result.remove(at: place)
      case 2: result.insert(contentsOf: Array("99999999999999999999".utf8), at: place)
      case 3: result.removeLast(result.count - place)
      case 4: result.insert(contentsOf: result[place...].prefix(40), at: place)
      default: result[place] = [0x0A, 0x20, 0x29, 0x28, 0x00, 0x2D].randomElement(using: &self) ?? 0
      }
    }
    return result
  }
}
