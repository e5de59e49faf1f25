/// Stops that had no start, by name: of a hundred names, and of the rest together.
struct UnmatchedStops {
  private(set) var counts: [String: UInt64] = [:]

  /// Counts one; true when the name is new.
  mutating func add(_ name: String) -> Bool {
    let isKnown = counts[name] != nil
    guard isKnown || counts.count < 100 else {
      counts["(other)", default: 0] += 1
      return false
    }
    counts[name, default: 0] += 1
    return !isKnown
  }
}
