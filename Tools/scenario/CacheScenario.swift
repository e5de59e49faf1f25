/// A bounded cache: grows at --rate until it holds --size, then drops the oldest for each new entry.
enum CacheScenario: Scenario {
  static let name = "cache"
  static let summary = "fills at --rate up to --size, then stays there"

  static func run(_ pace: Pace) {
    var store = SessionStore()
    pace.every(0.05) { elapsed in
      let wanted = elapsed * pace.options.rate
      if wanted > pace.options.size { store.resize(toBytes: pace.options.size - 20 * Session.byteCount) }
      store.resize(toBytes: min(wanted, pace.options.size))
    }
    withExtendedLifetime(store) {}
  }
}
