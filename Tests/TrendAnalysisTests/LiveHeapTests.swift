// Footprint and live heap together: whose growth it is.
import Testing
import TrendAnalysis

@Suite("Footprint and live heap")
struct LiveHeapTests {
  private let leak = series(1800) { $0 / 60 }
  private let flat = series(1800) { _ in 0 }
  private let slight = series(1800) { $0 / 300 }

  @Test("both grow: the program's own")
  func liveGrowth() {
    let result = TrendAnalyzer().assess(footprint: leak, liveHeap: leak)
    #expect(result.verdict == .growing && result.cause == .liveGrowth)
    #expect(result.reason.hasSuffix("; live memory grows") && (result.keptByAllocatorBytes ?? 1).magnitude < 1)
  }

  @Test("only the footprint grows: the allocator keeps it")
  func keptByAllocator() throws {
    let result = TrendAnalyzer().assess(footprint: leak, liveHeap: flat)
    #expect(result.verdict == .growing && result.cause == .keptByAllocator)
    #expect(result.reason.contains("live memory does not grow, the allocator keeps +"))
    #expect(try #require(result.keptByAllocatorBytes) > 15 * mebibyte)
  }

  @Test("both grow, the footprint by much more")
  func both() {
    let result = TrendAnalyzer().assess(footprint: leak, liveHeap: slight)
    #expect(result.cause == .both && result.verdict == .growing)
  }

  @Test("live memory grows into what the process already has: growing all the same")
  func hidden() {
    let result = TrendAnalyzer().assess(footprint: flat, liveHeap: leak)
    #expect(result.verdict == .growing && result.cause == .liveGrowth && result.footprint.verdict == .stable)
  }

  @Test("without a live heap the cause is not known")
  func notKnown() {
    for heap in [nil, [], Array(leak.prefix(100))] as [[TrendSample]?] {
      let result = TrendAnalyzer().assess(footprint: leak, liveHeap: heap)
      #expect(result.verdict == .growing && result.cause == .notKnown)
    }
  }

  @Test("nothing grows: there is no cause")
  func none() {
    let result = TrendAnalyzer().assess(footprint: flat, liveHeap: flat)
    #expect(result.verdict == .stable && result.cause == .none)
  }

  @Test("a live heap that is read once a minute is judged on its own grid")
  func rareHeap() {
    let rare = series(7200, every: 60) { $0 / 60 }
    let result = TrendAnalyzer().assess(footprint: series(7200) { $0 / 60 }, liveHeap: rare, interval: 1)
    #expect(result.cause == .liveGrowth)
  }
}
