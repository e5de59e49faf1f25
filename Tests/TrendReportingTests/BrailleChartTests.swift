import MemoryRecording
import Testing
import TrendReporting

@Suite struct BrailleChartTests {
  private func series(_ values: [Double], step: Double = 1) -> ChartSeries {
    var history = SampleHistory(capacity: max(values.count, 16))
    for (index, value) in values.enumerated() { history.append(elapsed: Double(index) * step, bytes: value) }
    return ChartSeries(points: history.points, assessment: nil)
  }

  @Test(arguments: [(24, 2), (40, 4), (80, 6), (200, 20), (1, 1)])
  func itKeepsToItsSize(width: Int, height: Int) {
    let values = (0..<500).map { Double($0 * 100_000) }
    let chart = BrailleChart(width: width, height: height)
    let lines = chart.lines(series(values))
    #expect(lines.count == chart.height + 1)
    #expect(lines.allSatisfy { $0.count <= chart.width })
    // Rising from the lower left to the upper right.
    let dots = lines.dropLast().map { $0.unicodeScalars.filter { (0x2800...0x28FF).contains($0.value) }.count }
    #expect(dots.allSatisfy { $0 > 0 })
    #expect(lines[0].last?.isWhitespace == false)
  }

  @Test func aFlatLineIsALineInTheMiddle() {
    let lines = BrailleChart(width: 40, height: 5).lines(series(Array(repeating: 50e6, count: 100)))
    let rows = lines.dropLast().enumerated().filter { row in
      row.element.unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) }
    }.map(\.offset)
    #expect(rows.count == 1)
    #expect(lines.dropLast().contains { $0.contains("47.") && $0.contains("MiB") })
  }

  @Test func aSpikeOfOneSampleAmongManyIsSeen() {
    var values = Array(repeating: 50e6, count: 30_000)
    values[12_345] = 150e6
    let lines = BrailleChart(width: 60, height: 5).lines(series(values))
    #expect(lines[0].unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
  }

  @Test func fewSamplesAreJoinedAndAHoleIsNot() {
    let few = BrailleChart(width: 60, height: 3).lines(series([50e6, 50e6, 50e6, 50e6, 50e6]))
    let dots = few.joined().unicodeScalars.filter { (0x2801...0x28FF).contains($0.value) }.count
    #expect(dots > 45)
    var history = SampleHistory()
    for index in 0..<100 where !(40..<60).contains(index) { history.append(elapsed: Double(index), bytes: 50e6) }
    let holed = BrailleChart(width: 60, height: 3).lines(ChartSeries(points: history.points, assessment: nil))
    #expect(
      holed.contains {
        $0.contains("⠤     ") || $0.contains("⠒     ") || $0.contains("⠉     ") || $0.contains("⣀     ")
          || $0.contains("     ⠤") || $0.contains("     ⠒")
      })
  }

  @Test(
    arguments: [
      [], [5], [.nan], [0, 0], [.infinity, 1], [1e300, -1e300], [.greatestFiniteMagnitude, 0],
      [-1, -2, -3], [.leastNonzeroMagnitude, 0],
    ] as [[Double]])
  func absurdValuesDraw(values: [Double]) {
    _ = BrailleChart(width: 40, height: 5).lines(series(values))
    _ = BrailleChart(width: 40, height: 5).lines(series(values, step: 1e300))
    _ = BrailleChart(width: 40, height: 5).lines(series(values, step: 0))
  }
}
