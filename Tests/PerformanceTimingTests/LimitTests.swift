import PerformanceTiming
import Testing

@Suite struct LimitTests {
  private let clock = ManualClock()

  @Test func namesBeyondTheLimitAreCountedTogetherAndTheReportSaysSo() {
    let timer = quietTimer(clock) { $0.nameLimit = 10 }
    for number in 0..<5000 { timer.measure("request \(number)") { clock.advance(.seconds(1)) } }
    let report = timer.report()
    #expect(report.roots.count == 11)
    #expect(report["(other)"]?.count == 4990)
    #expect(report["(other)"]?.total == .seconds(4990))
    #expect(report.otherCount == 4990)
    #expect(report.text.contains("(other): 4 990 spans beyond the limits (10 names"))
  }

  @Test func namesBeyondTheLimitAreStillToldApart() {
    let timer = quietTimer(clock) { $0.nameLimit = 2 }
    for number in 0..<100 {
      timer.start("request \(number)")
      clock.advance(.seconds(1))
    }
    for number in 0..<100 {
      #expect(timer.stop("request \(number)")?.wall == .seconds(100)); clock.advance(.seconds(1))
    }
    #expect(timer.report().running.isEmpty)
  }

  @Test func literalsBeyondTheLimitToo() {
    let timer = quietTimer(clock) { $0.nameLimit = 1 }
    timer.start("a")
    timer.start("b")
    timer.start("c")
    clock.advance(.seconds(1))
    #expect(timer.stop("b") != nil)
    #expect(timer.stop("b") == nil)
    #expect(timer.stop("a") != nil)
    #expect(timer.stop("c") != nil)
  }

  @Test func recursionWithoutEndStaysWithinTheDepth() {
    let timer = quietTimer(clock) { $0.depthLimit = 8 }
    func visit(_ depth: Int) { timer.measure("visit") { if depth > 1 { visit(depth - 1) } } }
    visit(100)
    let report = timer.report()
    #expect(report.nodes.map(\.depth).max() == 7)
    #expect(report["(other)"]?.count == 92)
  }

  @Test func placesStayWithinTheirLimit() {
    let timer = quietTimer(clock) { $0.pathLimit = 50 }
    for outer in 0..<20 {
      timer.measure("outer \(outer)") { for inner in 0..<20 { timer.measure("inner \(inner)") {} } }
    }
    let report = timer.report()
    #expect(report.nodes.count <= 51)
    #expect(report.nodes.reduce(0) { $0 + $1.node.count } == 420)
  }

  @Test func forgottenTimersAreListedAndDoNotFillTheMemory() {
    let timer = quietTimer(clock)
    TestThread.run { for _ in 0..<50_000 { timer.start("forgotten") } }
    let report = timer.report()
    #expect(report.running.isEmpty)
    #expect(report.abandoned.map(\.name) == ["forgotten"])
    #expect(report.abandoned.map(\.count) == [50_000])
    #expect(report.text.contains("begun and never ended: forgotten (50 000 times)"))
  }

  @Test func forgottenTimersOfTasksToo() async {
    let timer = quietTimer(clock)
    for _ in 0..<3 { await Task.detached { timer.start("forgotten") }.value }
    #expect(timer.report().running.map(\.name) == ["forgotten", "forgotten", "forgotten"])
    await Task.detached {
      #expect(timer.stop("forgotten") == nil)
      for _ in 0..<20_000 { timer.start("many") }
      #expect(timer.stop("many") != nil)
    }.value
    let report = timer.report()
    #expect(report.running.count < 10_000)
    #expect(report.running.count + report.abandoned.reduce(0) { $0 + Int($1.count) } == 20_002)
  }

  @Test func absurdLimitsAreBroughtIntoTheirRange() {
    for limit in [Int.min, -1, 0] {
      let timer = quietTimer(clock) {
        $0.nameLimit = limit
        $0.pathLimit = limit
        $0.depthLimit = limit
        $0.traceLimit = limit
      }
      timer.measure("a") { timer.measure("b") { clock.advance(.seconds(1)) } }
      #expect(timer.report()["a"]?.total == .seconds(1))
      #expect(timer.options.nameLimit == 1)
    }
  }
}
