// Each verdict, the clause that decides it, and the sentence that says so.
import Foundation
import Testing
import TrendAnalysis

@Suite("Verdicts and their reasons")
struct VerdictTests {
  @Test("a steady leak is growing, with its rate inside its interval")
  func growing() throws {
    let result = assess(series(1800) { $0 / 60 })
    #expect(result.verdict == .growing && result.leaning == .growing && result.decidingClause == .floorsRise)
    #expect(result.reason.hasPrefix("each of 8 epochs has a higher floor than the one before (p = 0.000025); "))
    #expect(result.reason.contains("growth is steady"))
    #expect(!result.isSlowing)
    let growth = try #require(result.growth)
    #expect((growth.bytesPerHour / (60 * mebibyte) - 1).magnitude < 0.02)
    #expect(growth.bytesPerHourLow <= growth.bytesPerHour && growth.bytesPerHour <= growth.bytesPerHourHigh)
    let evidence = try #require(result.evidence)
    #expect(evidence.kendallS == 28 && evidence.floors.count == 8 && evidence.floorKind == .epochs)
    #expect((growth.bytes - evidence.growthBytes).magnitude < 1)
    #expect(result.window.warmUpEnd == 450 && result.window.duration == 1800)
  }

  @Test("a flat series is stable")
  func stable() {
    let result = assess(series(1800) { _ in 0 })
    #expect(result.verdict == .stable && result.decidingClause == .changeTooSmall)
    #expect(result.reason.hasSuffix("less than the 1.0 MiB that counts"))
  }

  @Test("the tail of a warm-up has a direction, and is said to be too small")
  func tailOfWarmUp() {
    // Every floor above the one before, the last 1.3 MiB above the first, and next to nothing of it in the last half.
    let result = assess(series(1800) { 60 - 60 * exp(-$0 / 150) })
    #expect(result.verdict == .stable && result.decidingClause == .changeTooSmall)
    #expect((result.evidence?.netBytes ?? 0) > 1_048_576)
    #expect(result.reason.hasPrefix("the floors moved by +"))
  }

  @Test("a falling series is shrinking, with a negative rate")
  func shrinking() {
    let result = assess(series(1800) { -$0 / 60 })
    #expect(result.verdict == .shrinking && result.decidingClause == .floorsFall)
    #expect(result.growth?.bytesPerHour ?? 0 < 0)
    #expect(result.reason.hasPrefix("each of 8 epochs has a lower floor"))
  }

  @Test("a single step is no trend")
  func oneStep() {
    let result = assess(series(1800) { $0 < 1200 ? 0.001 * $0 : 30 })
    #expect(result.verdict == .inconclusive && result.decidingClause == .oneStep)
    #expect(result.reason.hasPrefix("one step holds") && result.reason.hasSuffix("% of the growth"))
  }

  @Test("two steps are no trend, three alike may be a leak in steps")
  func fewSteps() {
    let two = assess(series(1800) { $0 < 700 ? 0 : $0 < 1260 ? 8 : 16 })
    #expect(two.verdict == .inconclusive && two.decidingClause == .oneStep)
    #expect(two.reason.contains(" of the growth"))
    #expect(two.evidence?.twoStepShare ?? 0 > 0.8)
    #expect(assess(series(1800) { 4 * ($0 / 300).rounded(.down) }).verdict == .growing)
  }

  @Test("a slow warm-up is growth that slows")
  func slowing() {
    let result = assess(series(1800) { 40 * (1 - exponential(-$0 / 400)) })
    #expect(result.verdict == .inconclusive && result.decidingClause == .slowing)
    #expect(result.reason.hasPrefix("growth is slowing: 0."))
  }

  @Test("unbounded growth that slows a little is growing, and labelled")
  func slowingLabel() {
    let result = assess(series(1800) { 10 * ($0 / 1800).squareRoot() * 4 })
    #expect(result.verdict == .growing && result.isSlowing)
    #expect(result.reason.contains("growth is slowing (0."))
  }

  @Test("growth that begins late has no first half to compare with")
  func lateOnset() {
    let result = assess(series(1800) { max(0, $0 - 900) / 60 })
    #expect(result.verdict == .growing && !result.isSlowing)
  }

  @Test("two long cycles are too few")
  func fewCycles() {
    let result = assess(series(1800) { 30 * ($0 / 600).truncatingRemainder(dividingBy: 1) + $0 / 60 })
    #expect(result.verdict == .inconclusive && result.decidingClause == .fewCycles)
    #expect(result.reason == "only 2 cycles seen" && result.cycles?.areLong == true)
  }

  @Test("enough long cycles are compared by their floors")
  func cycleFloors() {
    let saw = { (time: Double) in 60 * (time / 430).truncatingRemainder(dividingBy: 1) }
    let leaking = assess(series(7200, every: 2) { saw($0) + $0 / 60 })
    #expect(leaking.verdict == .growing && leaking.evidence?.floorKind == .cycles)
    #expect((leaking.cycles?.period ?? 0 - 430).magnitude < 450)
    #expect(leaking.reason.contains("cycles"))
    #expect(assess(series(7200, every: 2, level: saw)).verdict == .stable)
  }

  @Test("a burst that is released is stable, even at the end", arguments: [700.0, 1700])
  func bursts(start: Double) {
    #expect(assess(series(1800) { (start..<(start + 300)).contains($0) ? 60 : 0 }).verdict == .stable)
  }

  @Test("what counts as growth can be set")
  func minimumGrowth() {
    var options = TrendOptions()
    options.minimumGrowthBytes = 100 * mebibyte
    let leak = series(1800) { $0 / 60 }
    #expect(TrendAnalyzer(options: options).assess(leak).verdict == .stable)
    options.warmUp = .seconds(300)
    #expect(TrendAnalyzer(options: options).assess(leak).window.warmUpEnd == 300)
  }
}

/// The exponential by its series, for the small arguments used here: no mathematics library in a test of a pure module.
func exponential(_ value: Double) -> Double {
  guard value > -1 else {
    let half = exponential(value / 2)
    return half * half
  }
  var (sum, term) = (1.0, 1.0)
  for order in 1...20 {
    term *= value / Double(order)
    sum += term
  }
  return sum
}
