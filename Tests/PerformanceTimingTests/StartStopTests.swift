import PerformanceTiming
import Testing

@Suite struct StartStopTests {
  private let clock = ManualClock()

  @Test func aSpanTakesTheTimeBetweenStartAndStop() throws {
    let timer = quietTimer(clock)
    timer.start("parse")
    clock.advance(.microseconds(1234))
    let timing = try #require(timer.stop("parse"))
    #expect(timing.wall == .microseconds(1234))
    #expect(timing.threadCPU == nil)
    #expect(timing.processCPU == nil)
    let node = try #require(timer.report()["parse"])
    #expect(node.count == 1)
    #expect(node.total == .microseconds(1234))
    #expect(node.min == node.max)
  }

  @Test func ofOneNameTheLastStartedStopsFirst() {
    let timer = quietTimer(clock)
    timer.start("visit")
    clock.advance(.seconds(1))
    timer.start("visit")
    clock.advance(.seconds(2))
    #expect(timer.stop("visit")?.wall == .seconds(2))
    clock.advance(.seconds(4))
    #expect(timer.stop("visit")?.wall == .seconds(7))
    #expect(timer.stop("visit") == nil)
    #expect(timer.report()["visit", "visit"]?.total == .seconds(2))
  }

  @Test func spansMayEndInAnyOrder() {
    let timer = quietTimer(clock)
    timer.start("first")
    clock.advance(.seconds(1))
    timer.start("second")
    clock.advance(.seconds(1))
    #expect(timer.stop("first")?.wall == .seconds(2))
    clock.advance(.seconds(1))
    #expect(timer.stop("second")?.wall == .seconds(2))
    #expect(timer.report().running.isEmpty)
  }

  @Test func aLiteralAndTheSameNameMadeAtRunTimeAreOneName() {
    let timer = quietTimer(clock)
    let name = ["pa", "rse"].joined()
    timer.start("parse")
    clock.advance(.seconds(1))
    #expect(timer.stop(name)?.wall == .seconds(1))
    timer.start(name)
    clock.advance(.seconds(1))
    #expect(timer.stop("parse")?.wall == .seconds(1))
    #expect(timer.report().roots.map(\.name) == ["parse"])
    #expect(timer.report()["parse"]?.count == 2)
  }

  @Test func aStopWithoutAStartIsNoNumberAndIsSaidOnce() {
    let lines = Lines()
    let timer = quietTimer(clock) {
      $0.printsSpans = true
      $0.write = lines.write
    }
    for _ in 0..<3 { #expect(timer.stop("never") == nil) }
    #expect(timer.stop("never either") == nil)
    #expect(lines.all == [#"stop("never") without a start"#, #"stop("never either") without a start"#])
    let report = timer.report()
    #expect(report.unmatchedStops.map(\.name) == ["never", "never either"])
    #expect(report.unmatchedStops.map(\.count) == [3, 1])
    #expect(report.roots.isEmpty)
  }

  @Test func stopsWithoutAStartDoNotFillTheMemory() {
    let timer = quietTimer(clock)
    for number in 0..<5000 { timer.stop("never \(number)") }
    let stops = timer.report().unmatchedStops
    #expect(stops.count == 101)
    #expect(stops.reduce(0) { $0 + $1.count } == 5000)
  }

  @Test func threadsDoNotStopEachOthersSpans() {
    let timer = quietTimer(clock)
    TestThread.run {
      timer.start("work")
      TestThread.run {
        #expect(timer.stop("work") == nil)
        timer.start("work")
        #expect(timer.stop("work") != nil)
      }
      #expect(timer.stop("work") != nil)
    }
    #expect(timer.report()["work"]?.count == 2)
  }

  @Test func tasksDoNotStopEachOthersSpans() async {
    let timer = quietTimer(clock)
    timer.start("work")
    let other = await Task.detached { timer.stop("work") }.value
    #expect(other == nil)
    #expect(timer.stop("work") != nil)
  }

  @Test func aTaskFindsItsSpansOnWhateverThreadItComesBack() async {
    let timer = quietTimer()
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<64 {
        group.addTask {
          var found = 0
          for _ in 0..<20 {
            timer.start("outer")
            await Task.yield()
            timer.start("outer")
            try? await Task.sleep(for: .microseconds(50))
            let inner = timer.stop("outer")
            await Task.yield()
            let outer = timer.stop("outer")
            if let inner, let outer, inner.wall <= outer.wall { found += 1 }
          }
          return found
        }
      }
      for await found in group { #expect(found == 20) }
    }
    let report = timer.report()
    #expect(report["outer"]?.count == 64 * 20)
    #expect(report["outer", "outer"]?.count == 64 * 20)
    #expect(report.running.isEmpty)
  }

  @Test func aStopDoesNotEndTheSpanOfAMeasure() {
    let timer = quietTimer(clock)
    timer.measure("scope") {
      #expect(timer.stop("scope") == nil)
      clock.advance(.seconds(1))
    }
    #expect(timer.report()["scope"]?.total == .seconds(1))
  }

  @Test func theSharedTimerHasTheSameForms() throws {
    let wasPrinting = PerformanceTimer.shared.printsSpans
    PerformanceTimer.shared.printsSpans = false
    defer { PerformanceTimer.shared.printsSpans = wasPrinting }
    PerformanceTimer.start("shared")
    #expect(PerformanceTimer.measure("inside") { 7 } == 7)
    PerformanceTimer.begin("handle").end()
    #expect(PerformanceTimer.stop("shared") != nil)
    let node = try #require(PerformanceTimer.report()["shared"])
    #expect(Set(node.children.map(\.name)) == ["inside", "handle"])
  }

  @Test func theSharedTimerIsSetUpBeforeItsFirstUseOrNotAtAll() {
    _ = PerformanceTimer.shared
    var options = TimerOptions()
    options.nameLimit = 3
    #expect(!PerformanceTimer.setUpShared(options))
    #expect(PerformanceTimer.shared.options.nameLimit == 1000)
  }

  @Test func resetForgetsWhatHasEnded() {
    let timer = quietTimer(clock)
    timer.start("open")
    timer.measure("done") {}
    timer.stop("nothing")
    timer.reset()
    var report = timer.report()
    #expect(report.roots.isEmpty && report.unmatchedStops.isEmpty)
    #expect(report.running.map(\.name) == ["open"])
    clock.advance(.seconds(1))
    timer.stop("open")
    report = timer.report()
    #expect(report["open"]?.total == .seconds(1))
  }
}
