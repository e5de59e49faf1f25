import FixtureSupport
import PerformanceTiming
import Testing

@Suite struct BenchmarkTests {
  private func row(_ threads: Int, perSecond: Double, _ nanoseconds: [Int]) -> BenchmarkResult.Row {
    var batches = DurationHistogram()
    for value in nanoseconds { batches.add(.nanoseconds(value)) }
    return BenchmarkResult.Row(
      threads: threads, calls: UInt64(nanoseconds.count * 1000), callsPerSecond: perSecond, batches: batches,
      batchSize: 1000)
  }

  @Test func theTableIsAsItWasFoundRight() {
    let result = BenchmarkResult(
      name: "a lock",
      rows: [
        row(1, perSecond: 55_000_000, (0..<1000).map { 18_000 + $0 }),
        row(2, perSecond: 30_000_000, (0..<1000).map { 60_000 + 10 * $0 }),
        row(4, perSecond: 12_500, (0..<1000).map { 90_000_000 + $0 * 1000 }),
      ], batchSize: 1000, emptyCallNanoseconds: 1.44, processorCount: 4)
    let difference = Golden.difference(result.text, "timing-benchmark.txt")
    #expect(difference == nil)
    #expect(result.scaling(of: result.rows[0]) == 1)
    #expect(result.scaling(of: result.rows[1]) == 30.0 / 55)
  }

  @Test func eachNumberOfThreadsHasALine() {
    let counter = Counter()
    let lines = Lines()
    var options = BenchmarkOptions()
    options.duration = .milliseconds(5)
    options.write = lines.write
    let result = benchmark("counting", threads: [1, 3, 0], options: options) { counter.increment() }
    #expect(result.rows.map(\.threads) == [1, 3, 1])
    #expect(result.rows.allSatisfy { $0.calls > 0 && $0.callsPerSecond > 0 })
    #expect(counter.value >= result.rows.reduce(0) { $0 + Int($1.calls) })
    #expect(lines.all.count == 5)
  }

  @Test func aSlowBodyIsTimedCallByCall() {
    var options = BenchmarkOptions()
    options.duration = .zero
    options.write = { _ in }
    let result = benchmark("slow", options: options) {
      for number in 0..<200_000 { blackHole(number) }
    }
    #expect(result.batchSize == 1)
    #expect(result.rows[0].calls >= 1)
    #expect(result.text.contains("each call timed"))
  }

  @Test func nothingMeasuredIsSaid() {
    let result = BenchmarkResult(name: "none", rows: [], batchSize: 1, emptyCallNanoseconds: 0, processorCount: 1)
    #expect(result.text.contains("no thread could be started"))
  }
}
