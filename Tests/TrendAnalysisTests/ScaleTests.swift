// Many samples: looked at once, in any arrangement that could make a selection quadratic. Counts, not seconds.
import Testing
import TrendAnalysis

/// A collection that counts how often an element of it is read.
private struct CountedSamples: RandomAccessCollection {
  final class Counter {
    var reads = 0
  }

  let count: Int
  let counter = Counter()
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(position: Int) -> TrendSample {
    counter.reads += 1
    return TrendSample(elapsed: Double(position), bytes: 1e8 + 2000 * Double(position))
  }
}

@Suite("Many samples")
struct ScaleTests {
  @Test("each sample is read once", arguments: [2000, 20000, 100_000])
  func readsOnce(count: Int) {
    let samples = CountedSamples(count: count)
    #expect(TrendAnalyzer().assess(samples).verdict == .growing)
    #expect(samples.counter.reads == count)
  }

  /// A quadratic pass over so many would take minutes: that this test ends is the assertion.
  @Test("orders that defeat a naive selection", arguments: 0..<5)
  func awkwardOrders(kind: Int) {
    let count = 50_000
    let samples = (0..<count).map { index -> TrendSample in
      let level =
        switch kind {
        case 0: index
        case 1: count - index
        case 2: min(index, count - index)
        case 3: index % 2 == 0 ? index : count - index
        default: 7
        }
      return TrendSample(elapsed: Double(index), bytes: 1e8 + Double(level))
    }
    #expect(assess(samples).verdict == .stable)
    #expect(assess(samples.reversed()).sampling.outOfOrderCount == count - 1)
  }

  @Test("the lists in a result are bounded, whatever the length of the run")
  func boundedResult() {
    let samples = (0..<20_000).map { index in
      TrendSample(elapsed: Double(index) + (index % 7 == 0 ? 0 : 0.9) * 5, bytes: 1e8)
    }
    let result = TrendAnalyzer().assess(samples, interval: 0.5)
    #expect(result.sampling.gaps.count <= 16 && result.epochs.count <= 8)
  }
}
