import FixtureSupport
import PerformanceTiming
import Testing

@Suite struct HistogramTests {
  private static let shares = [0.0, 0.001, 0.01, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0]

  /// Nearest rank, on the sorted values themselves.
  private func exact(_ sorted: [Int64], _ share: Double) -> Int64 {
    let rank = max(Int((Double(sorted.count) * share).rounded(.up)), 1)
    return sorted[min(rank, sorted.count) - 1]
  }

  private func check(_ values: [Int64], _ name: String) {
    var histogram = DurationHistogram()
    for value in values { histogram.add(.nanoseconds(value)) }
    let sorted = values.sorted()
    for share in Self.shares {
      let truth = exact(sorted, share)
      guard let told = histogram.percentile(share) else {
        Issue.record("\(name): no percentile")
        return
      }
      let error = abs(told / .nanoseconds(1) - Double(truth))
      #expect(
        error <= Double(truth) * DurationHistogram.maximumRelativeError, "\(name) at \(share): \(told), \(truth) ns")
    }
    #expect(histogram.min == .nanoseconds(sorted[0]))
    #expect(histogram.max == .nanoseconds(sorted[sorted.count - 1]))
    #expect(histogram.count == UInt64(values.count))
  }

  @Test(arguments: 1...8) func percentilesKeepToTheDocumentedError(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    check((0..<5000).map { _ in .random(in: 0...1_000_000, using: &generator) }, "uniform")
    let sizes = (0..<5000).map { _ in
      Int64.random(in: 0 ... .max, using: &generator) >> Int64.random(in: 0...62, using: &generator)
    }
    check(sizes, "all sizes")
    check((0..<999).map { _ in .random(in: 0...70, using: &generator) }, "small")
    check((0..<1000).map { $0 < 990 ? 1000 : 1_000_000 + Int64($0) }, "outliers")
    check([.random(in: 0...100_000, using: &generator)], "one")
  }

  @Test func everyBoundaryOfEveryPowerOfTwo() {
    for exponent in 0..<63 {
      let power = Int64(1) << Int64(exponent)
      check([power - 1, power, power + (power < .max / 2 ? 1 : 0)], "2^\(exponent)")
    }
    check([.max, 0], "ends")
  }

  @Test func durationsUpTo64NanosecondsAreExact() {
    for value in 0..<64 {
      var histogram = DurationHistogram()
      histogram.add(.zero)
      histogram.add(.nanoseconds(value))
      histogram.add(.seconds(1))
      #expect(histogram.percentile(0.5) == .nanoseconds(value))
    }
  }

  @Test func mergingIsTheSameAsAddingAll() {
    var generator = SeededGenerator(seed: 11)
    var parts = Array(repeating: DurationHistogram(), count: 4)
    var whole = DurationHistogram()
    for index in 0..<4000 {
      let value = Duration.nanoseconds(Int64.random(in: 0...10_000_000_000, using: &generator) >> Int64(index % 30))
      parts[index % 4].add(value)
      whole.add(value)
    }
    var merged = DurationHistogram()
    for part in parts.reversed() { merged.merge(part) }
    #expect(merged == whole)
    #expect(merged.mean == whole.mean && merged.total == whole.total)
  }

  @Test func nothingHasNoPercentile() {
    let histogram = DurationHistogram()
    #expect(histogram.percentile(0.5) == nil && histogram.min == nil && histogram.max == nil && histogram.mean == nil)
    #expect(histogram.total == .zero)
  }

  @Test(arguments: [Double.nan, -.infinity, -1, 2, .infinity]) func absurdSharesAreAnswered(share: Double) {
    var histogram = DurationHistogram()
    histogram.add(.nanoseconds(100))
    histogram.add(.seconds(-4))
    histogram.add(.seconds(Int64.max))
    #expect(histogram.min == .zero)
    #expect((histogram.percentile(share) == nil) == share.isNaN)
  }
}
