import PerformanceTiming
import Synchronization
import Testing

@Suite struct SpanHandleTests {
  private let clock = ManualClock()

  @Test func itEndsOnceAndSaysWhatItTook() {
    let timer = quietTimer(clock)
    let span = timer.begin("upload")
    clock.advance(.seconds(2))
    #expect(span.elapsed == .seconds(2))
    #expect(span.end()?.wall == .seconds(2))
    clock.advance(.seconds(2))
    #expect(span.end() == nil)
    #expect(timer.report()["upload"]?.count == 1)
  }

  @Test func itMayEndInAnotherTask() async {
    let timer = quietTimer(clock)
    let span = timer.begin("upload")
    clock.advance(.seconds(1))
    let timing = await Task.detached { span.end() }.value
    #expect(timing?.wall == .seconds(1))
  }

  @Test func itMayEndOnAnotherThread() {
    let timer = quietTimer(clock)
    let span = timer.begin("upload")
    TestThread.run { #expect(span.end() != nil) }
    #expect(timer.report()["upload"]?.count == 1)
  }

  @Test func ofManyEndsOneCounts() {
    let timer = quietTimer(clock)
    let span = timer.begin("upload")
    let counter = Counter()
    TestThread.run(8) { _ in if span.end() != nil { counter.increment() } }
    #expect(counter.value == 1)
    #expect(timer.report()["upload"]?.count == 1)
  }

  @Test func spansThatOverlapEachHaveTheirTime() {
    let timer = quietTimer(clock)
    let first = timer.begin("upload")
    clock.advance(.seconds(1))
    let second = timer.begin("upload")
    clock.advance(.seconds(1))
    #expect(first.end()?.wall == .seconds(2))
    clock.advance(.seconds(3))
    #expect(second.end()?.wall == .seconds(4))
  }

  @Test func partsLieBelowIt() {
    let timer = quietTimer(clock)
    let span = timer.begin("upload")
    TestThread.run {
      let part = span.begin("part \(1)")
      part.begin("byte").end()
      part.end()
    }
    span.end()
    #expect(timer.report()["upload", "part 1", "byte"]?.count == 1)
  }

  @Test func oneThatIsLetGoIsListed() {
    let timer = quietTimer(clock)
    for _ in 0..<3 { _ = timer.begin("forgotten") }
    let report = timer.report()
    #expect(report.running.isEmpty)
    #expect(report.abandoned.map(\.name) == ["forgotten"])
    #expect(report.abandoned.map(\.count) == [3])
    #expect(report.roots.isEmpty)
  }

  @Test func oneThatRunsIsListedWithItsTime() {
    let timer = quietTimer(clock)
    let span = timer.begin("upload")
    clock.advance(.seconds(2))
    let running = timer.report().running
    #expect(running.map(\.name) == ["upload"])
    #expect(running.map(\.elapsed) == [.seconds(2)])
    span.end()
    #expect(timer.report().running.isEmpty)
  }
}

/// A number that several threads count up.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  func increment() { count.add(1, ordering: .relaxed) }
  var value: Int { count.load(ordering: .relaxed) }
}
