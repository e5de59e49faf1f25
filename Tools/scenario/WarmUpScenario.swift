import Glibc

/// A warm-up: quick growth that slows down and comes to rest, as lazily filled caches and pools do.
enum WarmUpScenario: Scenario {
  static let name = "warmup"
  static let summary = "approaches --size, two thirds of it within --period, then stays there"

  static func run(_ pace: Pace) {
    var store = SessionStore()
    pace.every(0.05) { elapsed in
      store.resize(toBytes: pace.options.size * (1 - exp(-elapsed / pace.options.period)))
    }
    withExtendedLifetime(store) {}
  }
}
