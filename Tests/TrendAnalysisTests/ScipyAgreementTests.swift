// The two statistics against SciPy, whose version stands in the fixture.
import FixtureSupport
import Foundation
import Testing
import TrendAnalysis

/// What `make_scipy_fixtures.py` wrote.
struct ScipyFixtures: Decodable, Sendable {
  struct Kendall: Decodable, Sendable {
    var y: [Double]
    var s: Int
    var p: Double
  }

  struct Slope: Decodable, Sendable {
    var kind: String
    var x: [Double]
    var y: [Double]
    var slope: Double
    var low: Double
    var high: Double
  }

  var scipy: String
  var kendall: [Kendall]
  var theilSen: [Slope]

  static func load() throws -> ScipyFixtures {
    let data = try Data(contentsOf: URL(fileURLWithPath: Fixture.path("trend/scipy.json")))
    return try JSONDecoder().decode(ScipyFixtures.self, from: data)
  }
}

@Suite("Agreement with SciPy")
struct ScipyAgreementTests {
  private func areClose(_ first: Double, _ second: Double) -> Bool {
    (first - second).magnitude <= 1e-10 * max(first.magnitude, second.magnitude)
  }

  @Test("Kendall's S and its exact one-sided p are those of kendalltau")
  func kendall() throws {
    let cases = try ScipyFixtures.load().kendall
    #expect(cases.count > 20)
    for known in cases {
      #expect(KendallTest.s(known.y) == known.s)
      let p = try #require(KendallTest.probability(ofSAtLeast: known.s, count: known.y.count))
      #expect(areClose(p, known.p), "n \(known.y.count), S \(known.s): \(p), SciPy \(known.p)")
    }
  }

  @Test("the slope and the ends of its interval are those of theilslopes")
  func slopes() throws {
    let cases = try ScipyFixtures.load().theilSen
    #expect(cases.count > 50)
    for known in cases {
      let estimate = try #require(TheilSen.estimate(x: known.x, y: known.y))
      let agrees =
        areClose(estimate.slope, known.slope) && areClose(estimate.low, known.low)
        && areClose(estimate.high, known.high)
      #expect(agrees, "\(known.kind), n \(known.y.count): \(estimate), SciPy \(known.slope) \(known.low) \(known.high)")
    }
  }

  @Test(
    "the critical values of the published tables (Kendall 1970)",
    arguments: [(8, 18, 0.0156), (10, 25, 0.0143), (7, 15, 0.0151), (6, 13, 0.0083), (5, 10, 0.0083), (4, 6, 0.0417)])
  func tables(count: Int, s: Int, p: Double) throws {
    let computed = try #require(KendallTest.probability(ofSAtLeast: s, count: count))
    #expect((computed - p).magnitude < 0.00005)
  }

  @Test("probabilities fall with S, from one to nothing, and are symmetric")
  func distribution() throws {
    for count in [0, 1, 2, 3, 5, 8, 13] {
      let pairs = count * (count - 1) / 2
      #expect(KendallTest.probability(ofSAtLeast: -pairs, count: count) == 1)
      #expect(KendallTest.probability(ofSAtLeast: pairs + 1, count: count) == 0)
      var previous = 1.0
      for s in -pairs...pairs {
        let p = try #require(KendallTest.probability(ofSAtLeast: s, count: count))
        let mirrored = try #require(KendallTest.probability(ofSAtLeast: 1 - s, count: count))
        #expect(p <= previous && (p + mirrored - 1).magnitude < 1e-12)
        previous = p
      }
    }
  }

  @Test("what is too much for looking at every pair is refused, not computed for hours")
  func limits() {
    #expect(KendallTest.probability(ofSAtLeast: 0, count: 150).map { (0.5...0.51).contains($0) } == true)
    #expect(KendallTest.s([Double](repeating: 1, count: KendallTest.maximumCount + 1)) == nil)
    #expect(KendallTest.probability(ofSAtLeast: 0, count: KendallTest.maximumCount + 1) == nil)
    #expect(KendallTest.probability(ofSAtLeast: 0, count: -1) == nil)
    #expect(KendallTest.probability(ofSAtLeast: .min, count: 8) == 1)
    #expect(KendallTest.probability(ofSAtLeast: .max, count: 8) == 0)
    let many = [Double](repeating: 1, count: TheilSen.maximumCount + 1)
    #expect(TheilSen.estimate(x: many, y: many) == nil)
    #expect(TheilSen.estimate(x: [1, 2], y: [1]) == nil)
    #expect(TheilSen.estimate(x: [1, 1, 1], y: [1, 2, 3]) == nil)
    #expect(TheilSen.estimate(x: [], y: []) == nil)
  }
}
