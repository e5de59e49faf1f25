/// A steady leak of the kind no leak checker finds: sessions stay in a dictionary that nobody empties.
enum LeakScenario: Scenario {
  static let name = "leak"
  static let summary = "sessions stay in a dictionary: steady growth at --rate"

  static func run(_ pace: Pace) {
    var store = SessionStore()
    pace.every(0.05) { elapsed in store.resize(toBytes: elapsed * pace.options.rate) }
    withExtendedLifetime(store) {}
  }
}
