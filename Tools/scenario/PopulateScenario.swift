/// A heap full of small objects, made at once, which then stays as it is: for measuring what a census costs.
enum PopulateScenario: Scenario {
  static let name = "populate"
  static let summary = "makes --size of small objects at once, and keeps them"

  static func run(_ pace: Pace) {
    let count = max(Int(pace.options.size / Entry.byteCount), 1)
    let entries = (0..<count).map { Entry(number: $0) }
    while pace.wait(until: .infinity) {}
    withExtendedLifetime(entries) {}
  }
}

/// Two words of its own.
final class Entry {
  /// What an entry takes of the heap with the allocator's header, and its place in the array.
  static let byteCount = 56.0

  let number: Int
  let half: Int

  init(number: Int) {
    self.number = number
    half = number / 2
    LiveCount.entries.add()
  }

  deinit { LiveCount.entries.remove() }
}
