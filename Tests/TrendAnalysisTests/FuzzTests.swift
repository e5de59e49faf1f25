// Seeded random input: whatever comes in, the answer is complete and its parts agree.
import FixtureSupport
import Foundation
import Testing
import TrendAnalysis

@Suite("Fuzz")
struct FuzzTests {
  /// Times and amounts from a small set of troublesome ones, or ordinary.
  private func samples(_ random: inout SeededGenerator) -> [TrendSample] {
    let odd: [Double] = [
      .nan, .infinity, -.infinity, 0, -0.0, -1, .leastNonzeroMagnitude, 1e18, 1e19, 1e300, -1e300, 1800,
      .greatestFiniteMagnitude,
    ]
    let count = [0, 1, 2, 3, 7, 45, 100, 900, 2000].randomElement(using: &random) ?? 0
    let oddness: Double = [0, 0.001, 0.05, 1].randomElement(using: &random) ?? 0
    let scale: Double = [1e-3, .leastNonzeroMagnitude, 1e-200, 1, 2, 60, 1e9].randomElement(using: &random) ?? 1
    let swing: Double = [0, 1, 1e6, 1e8].randomElement(using: &random) ?? 0
    let slope: Double = [-1e5, 0, 1e3, 1e5].randomElement(using: &random) ?? 0
    return (0..<count).map { index in
      func value(_ ordinary: Double) -> Double {
        random.uniform() < oddness ? odd.randomElement(using: &random) ?? 0 : ordinary
      }
      let noise = swing * random.uniform()
      return TrendSample(elapsed: value(Double(index) * scale), bytes: value(1e8 + Double(index) * slope + noise))
    }
  }

  private func options(_ random: inout SeededGenerator) -> TrendOptions {
    var options = TrendOptions()
    options.minimumDuration = [1800, 45, 0, .nan].randomElement(using: &random) ?? 0
    options.epochs = [8, 0, 5, 64, .max].randomElement(using: &random) ?? 8
    let warmUps: [TrendOptions.WarmUp] = [.fraction(0.25), .fraction(1), .seconds(1e9), .seconds(-1)]
    options.warmUp = warmUps.randomElement(using: &random) ?? .seconds(0)
    options.cycleSwingBytes = [8e6, 0, -.infinity].randomElement(using: &random) ?? 0
    options.floorPercentile = [0.05, 0, 1, -1].randomElement(using: &random) ?? 0
    return options
  }

  @Test("1000 series of any kind have an answer that holds together", arguments: 0..<20)
  func holdsTogether(batch: UInt64) throws {
    var random = SeededGenerator(seed: batch)
    for _ in 0..<50 {
      let samples = samples(&random)
      let interval = [nil, 1, 0, .nan, 1e-300, 1e300].randomElement(using: &random) ?? nil
      let cuts = random.uniform() < 0.1 ? [Double.nan, 5, .infinity] : []
      let analyzer = TrendAnalyzer(options: options(&random))
      let result = analyzer.assess(samples, interval: interval, discontinuities: cuts)
      #expect(result.sampling.sampleCount + result.sampling.discardedCount == samples.count)
      #expect(!result.reason.isEmpty && !result.reason.contains("\n") && !result.reason.hasSuffix("."))
      #expect(result.verdict == .inconclusive || !result.decidingClause.isAboutEvidence)
      #expect(result.verdict == .inconclusive || result.verdict == result.leaning)
      if let growth = result.growth {
        #expect(growth.bytesPerHourLow <= growth.bytesPerHour && growth.bytesPerHour <= growth.bytesPerHourHigh)
      }
      // Everything is finite: JSON has no other numbers, and encoding would throw.
      let data = try JSONEncoder().encode(result)
      #expect(try JSONDecoder().decode(TrendAssessment.self, from: data).verdict == result.verdict)
    }
  }

  @Test("the same samples get the same answer, and the value survives JSON")
  func isRepeatable() throws {
    let samples = series(1800) { $0 / 60 }
    let first = assess(samples)
    #expect(first == assess(samples))
    let data = try JSONEncoder().encode(first)
    #expect(try JSONDecoder().decode(TrendAssessment.self, from: data) == first)
    #expect(String(decoding: data, as: UTF8.self).contains(#""warmUp":{"fraction":0.25}"#))
  }
}
