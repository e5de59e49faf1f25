import FixtureSupport
import PerformanceTiming
import Testing

@Suite struct TraceTests {
  private let clock = ManualClock()

  private func tracingTimer(_ limit: Int = 1_000_000) -> PerformanceTimer {
    quietTimer(clock) { $0.traceLimit = limit }
  }

  @Test func spansThatOverlapAreAllThereWithTheirTimes() throws {
    let timer = tracingTimer()
    TestThread.run {
      timer.start("first")
      self.clock.advance(.nanoseconds(1001))
      timer.start("second")
      self.clock.advance(.nanoseconds(1001))
      timer.stop("first")
      self.clock.advance(.nanoseconds(1001))
      timer.stop("second")
    }
    let trace = try ChromeTrace(timer.trace().chromeJSON())
    let slices = trace.slices.sorted { $0.start < $1.start }
    #expect(slices.map(\.name) == ["first", "second"])
    #expect(slices.map(\.start) == [0, 1001])
    #expect(slices.map(\.end) == [2002, 3003])
    #expect(Set(slices.map(\.id)).count == 2)
    #expect(trace.processNames.isEmpty)
  }

  @Test func spansThatNestShareALane() throws {
    let timer = tracingTimer()
    timer.measure("outer") {
      for _ in 0..<3 { timer.measure("inner") { clock.advance(.microseconds(5)) } }
    }
    timer.measure("outer") {}
    let trace = try ChromeTrace(timer.trace().chromeJSON(processName: "a \"server\""))
    #expect(trace.slices.count == 5)
    #expect(Set(trace.slices.map(\.id)).count == 1)
    #expect(trace.slices.filter { $0.name == "inner" }.allSatisfy { $0.depth == 1 })
    #expect(trace.processNames == [#"a "server""#])
  }

  @Test func tasksAtOnceHaveLanesOfTheirOwn() async throws {
    let timer = quietTimer { $0.traceLimit = 100_000 }
    await withTaskGroup { group in
      for number in 0..<40 {
        group.addTask {
          await timer.measure("request \(number)") {
            await Task.yield()
            await timer.measure("step") { try? await Task.sleep(for: .microseconds(100)) }
          }
        }
      }
    }
    let trace = try ChromeTrace(timer.trace().chromeJSON())
    #expect(trace.slices.count == 80)
    #expect(Set(trace.slices.map(\.id)).count == 40)
    #expect(trace.slices.filter { $0.name == "step" }.allSatisfy { $0.depth == 1 })
  }

  @Test(arguments: 1...20) func whateverStartsAndStopsTheTraceIsValid(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let timer = tracingTimer()
    var expected = 0
    let names = ["a", "b", "c", "d"]
    for _ in 0..<400 {
      let name = names.randomElement(using: &generator) ?? "a"
      // Steps of no time, so that begins and ends fall together.
      clock.advance(.nanoseconds(Int.random(in: 0...2, using: &generator)))
      switch Int.random(in: 0...3, using: &generator) {
      case 0, 1: timer.start(name)
      case 2: if timer.stop(name) != nil { expected += 1 }
      default:
        timer.measure(name) { clock.advance(.nanoseconds(Int.random(in: 0...1, using: &generator))) }
        expected += 1
      }
    }
    let running = timer.report().running.count
    let trace = try ChromeTrace(timer.trace().chromeJSON())
    #expect(trace.slices.filter { !$0.isRunning }.count == expected)
    #expect(trace.slices.filter(\.isRunning).count == running)
  }

  @Test func theLimitKeepsTheFirstSpansAndSaysSo() throws {
    let timer = tracingTimer(100)
    for _ in 0..<250 { timer.measure("span") { clock.advance(.seconds(1)) } }
    let trace = timer.trace()
    #expect(trace.entries.count == 100)
    #expect(trace.unkeptCount == 150)
    #expect(trace.entries.first?.start == .zero)
    #expect(timer.report()["span"]?.count == 250)
    #expect(try ChromeTrace(trace.chromeJSON()).slices.count == 100)
    timer.reset()
    timer.measure("span") {}
    #expect(timer.trace().entries.count == 1)
  }

  @Test func withoutALimitNothingIsKept() throws {
    let timer = quietTimer(clock)
    timer.measure("span") {}
    timer.start("open")
    #expect(timer.trace().entries.isEmpty)
    #expect(try ChromeTrace(timer.trace().chromeJSON()).slices.isEmpty)
  }
}
