/// A small random generator with a seed, which the standard library's has not: SplitMix64 (Steele, Lea and Flood 2014, "Fast
/// splittable pseudorandom number generators").
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  /// The generator of a seed.
  package init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Evenly from 0 up to and without 1.
  package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
