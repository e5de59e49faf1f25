import MemoryRecording
import Testing

@Suite struct SampleHistoryTests {
  @Test func aShortRecordingIsKeptWhole() {
    var history = SampleHistory(capacity: 100)
    for index in 0..<100 { history.append(elapsed: Double(index), bytes: Double(index * 10)) }
    #expect(history.points.count == 100)
    #expect(history.stride == 1)
    #expect(history.points.last?.bytes == 990)
  }

  @Test(arguments: [16, 100, 1000])
  func aLongOneIsThinnedEvenlyAndKeepsItsExtremes(capacity: Int) {
    var history = SampleHistory(capacity: capacity)
    let count = 123_457
    for index in 0..<count {
      // One sample in 1000 is a spike; none of them may be lost from the ranges.
      history.append(elapsed: Double(index), bytes: index % 1000 == 777 ? 1e9 : Double(index))
    }
    #expect(history.sampleCount == count)
    #expect(history.points.count <= capacity)
    #expect(history.points.count > capacity / 2 - 1)
    for (number, point) in history.points.enumerated() {
      #expect(point.elapsed == Double(number * history.stride))
      #expect(point.low <= point.bytes && point.bytes <= point.high)
    }
    // Every spike lies in the range of the point it belongs to.
    let spikes = Set(stride(from: 777, to: count, by: 1000).map { $0 / history.stride })
    let high = Set(history.points.enumerated().filter { $0.element.high == 1e9 }.map(\.offset))
    #expect(high == spikes)
  }
}
