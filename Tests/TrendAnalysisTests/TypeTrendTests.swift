// Which types of a run grow.
import Testing
import TrendAnalysis

@Suite("Types of a run")
struct TypeTrendTests {
  private let analyzer = TrendAnalyzer()
  /// A process that gains 1 MiB a minute, judged from minute 7.5 on.
  private let leak = series(1800) { $0 / 60 }
  private let flat = series(1800) { _ in 0 }
  /// One census at each end of an epoch, and three in the warm-up.
  private let moments = (0..<11).map { 1800 - Double(10 - $0) * 1350 / 8 }

  private func type(
    _ name: String, _ kind: String = "class", instances: (Double) -> Double, bytes: Double = 100
  ) -> TypeSeries {
    TypeSeries(
      type: name, kind: kind,
      points: moments.map {
        TypeSeries.Point(elapsed: $0, instances: instances($0), bytes: instances($0) * bytes)
      })
  }

  private func heap(_ bytes: (Double) -> Double) -> TypeSeries {
    TypeSeries(
      type: "live heap", kind: "heap",
      points: moments.map { TypeSeries.Point(elapsed: $0, instances: 1, bytes: bytes($0)) })
  }

  @Test("the types that grow are named, with their share, and no others")
  func growing() throws {
    let trends = analyzer.assess(
      types: [
        type("Shop.Session", instances: { ($0 * 10).rounded() }, bytes: 1200),
        type("Shop.User", instances: { ($0 * 10).rounded() + 5 }, bytes: 500),
        type("Shop.Request", instances: { 20 + ($0 * 7919).truncatingRemainder(dividingBy: 30) }),
        type("Shop.Config", instances: { _ in 40 }),
        type("Shop.WarmedUp", instances: { min($0, 400) }, bytes: 10_000),
        TypeSeries(
          type: "Table", kind: "class",
          points: moments.map { TypeSeries.Point(elapsed: $0, instances: 1, bytes: $0 > 900 ? 2e6 : 1e6) }),
      ], liveHeap: heap { $0 * 17_476 }, within: analyzer.assess(leak))
    #expect(trends.growing.map(\.type) == ["Shop.Session", "Shop.User"])
    #expect(trends.groups == [["Shop.Session", "Shop.User"]])
    #expect(trends.grownInPlace.map(\.type) == ["Table"])
    #expect(trends.censusCount == 8 && trends.typeCount == 6)
    let session = try #require(trends.growing.first)
    // From the end of the first epoch to the end of the last: 1350 s less one epoch, 10 a second.
    #expect((11_800...11_825).contains(session.instanceGrowth))
    #expect((session.instancesPerHour / 36_000 - 1).magnitude < 0.01)
    #expect((0.66...0.71).contains(try #require(session.shareOfGrowth)))
    #expect(session.probability ?? 1 < 0.001)
  }

  @Test("a process that does not grow leaves no share to explain")
  func flatProcess() {
    let trends = analyzer.assess(
      types: [type("A", instances: { $0 * 3 })], liveHeap: nil, within: analyzer.assess(flat))
    #expect(trends.growing.map(\.type) == ["A"])
    #expect(trends.growing.first?.shareOfGrowth == nil && trends.explainedShare == nil)
  }

  @Test("of few censuses nothing is said")
  func few() {
    var short = type("A", instances: { $0 * 3 })
    short.points.removeFirst(7)
    let trends = analyzer.assess(types: [short], liveHeap: nil, within: analyzer.assess(leak))
    #expect(trends.growing.isEmpty && trends.censusCount == 4)
    #expect(analyzer.assess(types: [], liveHeap: nil, within: analyzer.assess(leak)).growing.isEmpty)
    #expect(analyzer.assess(types: [], liveHeap: nil, within: analyzer.assess([])).censusCount == 0)
  }

  @Test("types that move at random are rarely called growing")
  func chance() {
    var generator = SystemRandomNumberGenerator()
    let assessment = analyzer.assess(leak)
    var named = 0
    for _ in 0..<400 {
      let noise = type("A", instances: { _ in Double.random(in: 1000...2000, using: &generator).rounded() })
      named += analyzer.assess(types: [noise], liveHeap: nil, within: assessment).growing.count
    }
    // 1.6 % by ranks alone; 400 tries of that exceed 20 once in 10⁵.
    #expect(named <= 20)
  }

  @Test("the cause of growth, from the live heap at a few moments")
  func cause() throws {
    let growing = analyzer.assess(leak)
    let flatHeap = try #require(
      analyzer.assess(types: [], liveHeap: heap { _ in 5e6 }, within: growing).liveHeap)
    let kept = analyzer.cause(of: growing, liveHeap: flatHeap)
    #expect(kept.cause == .keptByAllocator && kept.explanation.contains("live memory does not grow"))
    let risingHeap = try #require(
      analyzer.assess(types: [], liveHeap: heap { $0 * 17_476 }, within: growing).liveHeap)
    let live = analyzer.cause(of: growing, liveHeap: risingHeap)
    #expect(live.cause == .liveGrowth && live.explanation == "; live memory grows")
    #expect((live.keptByAllocatorBytes ?? 1e9).magnitude < 200_000)
    #expect(analyzer.cause(of: analyzer.assess(flat), liveHeap: risingHeap).explanation == "")
  }
}
