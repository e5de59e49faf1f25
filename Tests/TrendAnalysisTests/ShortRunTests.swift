// Runs below half an hour: inconclusive with a leaning, unless they are accepted knowingly.
import Testing
import TrendAnalysis

@Suite("Short runs")
struct ShortRunTests {
  @Test("below the minimum the answer is inconclusive, with a leaning and what is missing")
  func leaning() {
    let result = assess(series(600) { $0 / 6 })
    #expect(result.verdict == .inconclusive && result.leaning == .growing)
    #expect(result.decidingClause == .tooShort && result.leaningClause == .floorsRise)
    #expect(result.reason == "ran 10 min of the 30 min needed")
    #expect(result.growth != nil && result.falseAlarmRate != nil)
  }

  @Test("an accepted short run is judged, and says how often such a run is wrong")
  func accepted() {
    let result = assess(series(600) { $0 / 6 }, minimumDuration: 600)
    #expect(result.verdict == .growing && result.falseAlarmRate?.runLength == 600)
    #expect(result.falseAlarmRate?.mean ?? 0 > 0.05)
  }

  @Test(
    "an obvious leak of less than a minute is growing",
    arguments: [(60.0, 1.0), (60, 0.5), (50, 1), (45, 1), (45, 0.5), (60, 0.25)])
  func obvious(duration: Double, interval: Double) {
    let result = assess(series(duration, every: interval) { $0 }, minimumDuration: 45)
    #expect(result.verdict == .growing, "\(result.reason)")
    #expect(result.epochs.count >= 5)
    #expect(result.reason.hasPrefix("each of \(result.epochs.count) epochs"))
  }

  @Test("a flat short run is stable")
  func flat() {
    #expect(assess(series(60) { _ in 0 }, minimumDuration: 45).verdict == .stable)
  }

  @Test("too few samples are inconclusive, and the reason counts them")
  func tooFew() {
    let result = assess(series(60, every: 2) { $0 }, minimumDuration: 45)
    #expect(result.verdict == .inconclusive && result.decidingClause == .tooFewSamples)
    #expect(result.reason == "only 22 samples after the warm-up, 30 needed")
  }

  @Test("a run of full length is cut into all epochs or not judged")
  func fullLengthNeedsAll() {
    let result = assess(series(1800, every: 30) { $0 / 60 })
    #expect(result.decidingClause == .tooFewSamples)
    #expect(result.reason == "only 45 samples after the warm-up, 80 needed")
  }

  @Test("the last sample of a run of exactly the minimum may come an interval early")
  func exactLength() {
    #expect(assess(series(1800, every: 10) { $0 / 60 }).verdict == .growing)
    #expect(assess(series(1785) { $0 / 60 }).verdict == .growing)
    #expect(assess(series(1700) { $0 / 60 }).decidingClause == .tooShort)
  }

  @Test("a warm-up that leaves too little makes the run too short, and its rate that of a shorter one")
  func longWarmUp() {
    var options = TrendOptions()
    options.warmUp = .seconds(1500)
    let samples = series(1800) { $0 / 60 }
    let result = TrendAnalyzer(options: options).assess(samples)
    #expect(result.verdict == .inconclusive && result.decidingClause == .tooShort && result.leaning == .growing)
    #expect(result.reason == "only 5 min are left after the warm-up, 15 min needed")
    options.warmUp = .seconds(800)
    let enough = TrendAnalyzer(options: options).assess(samples)
    #expect(enough.verdict == .growing && enough.falseAlarmRate?.runLength == 1200)
  }

  @Test("the rate for a length is that of the longest measured length that is not longer")
  func falseAlarms() {
    let table = FalseAlarmRate.measured
    #expect(table.map(\.runLength) == table.map(\.runLength).sorted() && !table.isEmpty)
    #expect(table.allSatisfy { $0.mean <= $0.worst && (0...1).contains($0.worst) })
    #expect(FalseAlarmRate.forRun(of: 10) == nil)
    #expect(FalseAlarmRate.forRun(of: 1799)?.runLength == 1800)
    #expect(FalseAlarmRate.forRun(of: 1700)?.runLength == 1200)
    #expect(FalseAlarmRate.forRun(of: 1e6)?.runLength == 7200)
  }
}
