/// Fragmentation: each --period, --size of small objects is made and freed but for the very last, which pins the heap.
/// Resident size stays high while next to nothing is live: no leak, and no leak checker's business.
enum FragmentScenario: Scenario {
  static let name = "fragment"
  static let summary = "frees all it made but the last object: resident size stays, nothing is live"

  static func run(_ pace: Pace) {
    var pins: [Session] = []
    pace.every(pace.options.period) { _ in
      let count = max(Int(pace.options.size / Session.byteCount), 1)
      let sessions = (0..<count).map { Session(id: $0) }
      // One pin a round at the most, and ten in all: the pins themselves must not become the story.
      if pins.count < 10, let last = sessions.last { pins.append(last) }
    }
    withExtendedLifetime(pins) {}
  }
}
