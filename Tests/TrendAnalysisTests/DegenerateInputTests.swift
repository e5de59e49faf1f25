// Input that is no orderly series: always an answer, never a crash, and never "growing" without evidence.
import FixtureSupport
import Testing
import TrendAnalysis

@Suite("Degenerate input")
struct DegenerateInputTests {
  private func sample(_ time: Double, _ bytes: Double) -> TrendSample { TrendSample(elapsed: time, bytes: bytes) }

  @Test("no samples, one, two")
  func few() {
    let none = assess([])
    #expect(none.verdict == .inconclusive && none.decidingClause == .noSamples && none.reason == "there are no samples")
    let one = assess([sample(5, 100)])
    #expect(one.verdict == .inconclusive && one.decidingClause == .tooShort && one.growth == nil)
    let two = assess([sample(0, 100), sample(1800, 1e9)])
    #expect(two.verdict == .inconclusive && two.decidingClause == .tooFewSamples)
    #expect(assess([sample(0, 100), sample(0, 200), sample(0, 300)]).verdict == .inconclusive)
  }

  @Test("values that never change are stable")
  func zeroVariance() {
    let result = assess((0..<1800).map { sample(Double($0), 104_857_600) })
    #expect(result.verdict == .stable && result.evidence?.probability == result.evidence?.probability)
    #expect(result.growth?.bytes == 0)
    #expect(assess((0..<1800).map { sample(Double($0), 0) }).verdict == .stable)
  }

  @Test("values that are no amounts are dropped and counted as missing")
  func notFinite() {
    var samples = series(1800) { $0 / 60 }
    for (index, bad) in [Double.nan, .infinity, -.infinity, -5, 1e300].enumerated() {
      samples[500 + 7 * index].bytes = bad
    }
    samples[900].elapsed = .nan
    samples[910].elapsed = .infinity
    let result = assess(samples)
    #expect(result.sampling.discardedCount == 7 && result.sampling.sampleCount == 1793)
    #expect(result.verdict == .growing)
    let nothing = assess((0..<100).map { sample(Double($0), .nan) })
    #expect(nothing.decidingClause == .noSamples && nothing.reason == "none of 100 samples holds a usable value")
  }

  @Test("a suspended machine is a gap, and says where")
  func gap() {
    let samples = series(3600) { $0 / 60 }.filter { !(1500..<1800).contains($0.elapsed) }
    let result = assess(samples)
    #expect(result.verdict == .inconclusive && result.decidingClause == .gap && result.leaning == .growing)
    #expect(result.reason == "nothing was sampled for 5 min 1 s, from 24 min 59 s on")
    #expect(result.sampling.gaps.map(\.start) == [1499] && result.sampling.gaps.map(\.end) == [1800])
    #expect(result.sampling.largestGap == 301)
  }

  @Test("a gap during the warm-up, or of seconds in a long run, spoils nothing")
  func harmlessGaps() {
    let early = series(1800) { $0 / 60 }.filter { !(100..<200).contains($0.elapsed) }
    #expect(assess(early).verdict == .growing && assess(early).sampling.gapCount == 1)
    let brief = series(1800) { $0 / 60 }.filter { !(1000..<1005).contains($0.elapsed) }
    #expect(assess(brief).verdict == .growing && assess(brief).sampling.gapCount == 1)
  }

  @Test("many small holes are missing samples")
  func missing() {
    let samples = series(1800) { $0 / 60 }.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
    let result = TrendAnalyzer().assess(samples, interval: 1)
    #expect(result.verdict == .inconclusive && result.decidingClause == .missingSamples)
    #expect(result.reason == "25 % of the samples are missing")
  }

  @Test("nothing but gaps: three samples far apart, each list bounded")
  func allGaps() {
    let rare = (0..<100).map { sample(pow2($0 % 40) * Double($0 + 1), 1e6) }
    let result = assess(rare)
    #expect(result.verdict == .inconclusive && result.sampling.gaps.count <= TrendOptions().maximumGapsListed)
  }

  private func pow2(_ exponent: Int) -> Double { Double(1 << exponent) }

  @Test("rows in any order are the same series")
  func unsorted() {
    let samples = series(1800) { $0 / 60 }
    var random = SeededGenerator(seed: 3)
    let result = assess(samples.shuffled(using: &random))
    let ordered = assess(samples)
    #expect(result.verdict == .growing && result.growth == ordered.growth && result.epochs == ordered.epochs)
    #expect(result.sampling.outOfOrderCount > 500)
    #expect(assess(Array(samples[900...] + samples[..<900])).verdict == .growing)
  }

  @Test("a clock that was set back is not a shuffled series", arguments: [60.0, 600, 600.5, 1999.5, 1e6])
  func clockStep(back: Double) {
    let samples = series(3600) { $0 / 60 }.map { $0.elapsed < 2000 ? $0 : sample($0.elapsed - back, $0.bytes) }
    let result = assess(samples)
    #expect(result.verdict == .inconclusive && result.decidingClause == .clockStep)
    #expect(result.leaning == .inconclusive && result.reason.hasPrefix("the clock went back by "))
  }

  @Test("rows that changed places are put back")
  func swappedRows() {
    var samples = series(1800) { $0 / 60 }
    for index in stride(from: 100, to: 1700, by: 50) { samples.swapAt(index, index + 1) }
    #expect(assess(samples).verdict == .growing && assess(samples).sampling.outOfOrderCount == 32)
  }

  @Test("a change of unit is named, not called growth", arguments: [1000.0, 1024, 4096, 1_048_576])
  func unitChange(factor: Double) {
    let samples = series(1800) { $0 / 60 }
    let up = assess(samples.map { $0.elapsed < 1000 ? sample($0.elapsed, $0.bytes / factor) : $0 })
    #expect(up.verdict == .inconclusive && up.decidingClause == .unitChange)
    #expect(up.reason.hasPrefix("the values grow ") && up.reason.hasSuffix(" their unit changes"))
    #expect(up.reason.contains("at 16 min 40 s"))
    let down = assess(samples.map { $0.elapsed < 1000 ? $0 : sample($0.elapsed, $0.bytes / factor) })
    #expect(down.decidingClause == .unitChange && down.reason.hasPrefix("the values shrink "))
  }

  @Test("a process that starts small is no change of unit")
  func startUp() {
    #expect(assess(series(1800) { $0 < 2 ? -99.9 : 0 }).verdict == .stable)
  }

  @Test("a pid that was reused makes two processes, which have no common trend")
  func identityChange() {
    let samples = series(1800) { $0 / 60 }
    let result = TrendAnalyzer().assess(samples, discontinuities: [1200])
    #expect(result.verdict == .inconclusive && result.decidingClause == .identityChange)
    #expect(result.leaning == .inconclusive && result.reason == "the process was replaced by another at 20 min")
    #expect(TrendAnalyzer().assess(samples, discontinuities: [-5, 5000, .nan]).verdict == .growing)
  }

  @Test("an interval that cannot be is inferred instead", arguments: [0.0, -1, .nan, .infinity])
  func intervals(interval: Double) {
    #expect(TrendAnalyzer().assess(series(1800) { $0 / 60 }, interval: interval).verdict == .growing)
  }

  @Test("options that make no sense are held within bounds")
  func options() {
    var options = TrendOptions()
    options.epochs = -3
    options.cycleBins = .max
    options.samplesPerEpoch = 0
    options.minimumEpochs = .max
    options.floorPercentile = .nan
    options.warmUp = .fraction(7)
    options.minimumDuration = -.infinity
    options.maximumGapsListed = .min
    options.minimumGrowthBytes = -1
    let result = TrendAnalyzer(options: options).assess(series(1800) { $0 / 60 })
    #expect(result.options.epochs == 4 && result.options.warmUp == .fraction(0.9))
    #expect(result.options.floorPercentile == 0.05 && result.options.maximumGapsListed == 0)
  }

  @Test("amounts at the end of what a machine can have do not overflow")
  func huge() {
    #expect(assess(series(1800) { _ in 0 }.map { sample($0.elapsed * 1e8, $0.bytes * 9e9) }).verdict == .stable)
    #expect(assess((0..<1800).map { sample(Double($0), Double($0) * 5e14) }).verdict == .growing)
    #expect(TrendSample(elapsed: 0, bytes: UInt64.max).bytes == 18_446_744_073_709_551_616)
  }
}
