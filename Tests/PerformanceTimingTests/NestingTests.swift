import PerformanceTiming
import Testing

@Suite struct NestingTests {
  private let clock = ManualClock()

  private func paths(_ timer: PerformanceTimer) -> [String] {
    var open: [String] = []
    return timer.report().nodes.map { depth, node in
      open = open.prefix(depth) + [node.name]
      return open.joined(separator: " > ")
    }.sorted()
  }

  @Test func everyFormNestsInEveryOther() {
    let timer = quietTimer(clock)
    timer.start("a")
    timer.measure("b") {
      timer.start("c")
      timer.measure("d") { timer.begin("e").end() }
      timer.stop("c")
    }
    timer.measure("f") {}
    timer.stop("a")
    timer.measure("g") {}
    #expect(paths(timer) == ["a", "a > b", "a > b > c", "a > b > c > d", "a > b > c > d > e", "a > f", "g"])
  }

  @Test func theSameOutsideOfTasks() {
    let timer = quietTimer(clock)
    TestThread.run {
      timer.start("a")
      timer.measure("b") {
        timer.start("c")
        timer.measure("d") {}
        timer.stop("c")
      }
      timer.stop("a")
    }
    #expect(paths(timer) == ["a", "a > b", "a > b > c", "a > b > c > d"])
  }

  @Test func childTasksLieBelowTheSpanThatMadeThem() async {
    let timer = quietTimer(clock)
    await timer.measure("handle") {
      async let left: Void = timer.measure("left") { await Task.yield() }
      await withTaskGroup { group in
        group.addTask {
          timer.start("right")
          await Task.yield()
          timer.measure("inner") {}
          timer.stop("right")
        }
      }
      await left
      await Task { timer.measure("unstructured") {} }.value
      await Task.detached { timer.measure("detached") {} }.value
    }
    #expect(
      paths(timer) == [
        "detached", "handle", "handle > left", "handle > right", "handle > right > inner", "handle > unstructured",
      ])
  }

  @Test func concurrentRequestsDoNotMix() async {
    let timer = quietTimer()
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask {
          await timer.measure("request \(number % 5)") {
            await Task.yield()
            timer.start("step")
            await Task.yield()
            timer.measure("part \(number % 5)") {}
            timer.stop("step")
          }
        }
      }
    }
    let report = timer.report()
    #expect(report.roots.count == 5)
    for number in 0..<5 {
      #expect(report["request \(number)"]?.count == 10)
      #expect(report["request \(number)"]?.children.map(\.name) == ["step"])
      #expect(report["request \(number)", "step"]?.children.map(\.name) == ["part \(number)"])
    }
  }

  @Test func twoTimersDoNotNestInEachOther() async {
    let first = quietTimer(clock)
    let second = quietTimer(clock)
    await first.measure("outer") {
      await second.measure("other") {
        first.measure("inner") {}
        await Task { first.measure("in a task") {} }.value
      }
    }
    #expect(paths(first) == ["outer", "outer > in a task", "outer > inner"])
    #expect(paths(second) == ["other"])
  }

  @Test func threeTimersInTurnEachFindTheirOwn() async {
    let timers = (0..<3).map { _ in quietTimer(clock) }
    await timers[0].measure("a0") {
      await timers[1].measure("a1") {
        await timers[2].measure("a2") {
          await timers[0].measure("b0") {
            await timers[1].measure("b1") {
              await Task { for timer in timers { timer.measure("leaf") {} } }.value
            }
          }
        }
      }
    }
    #expect(paths(timers[0]) == ["a0", "a0 > b0", "a0 > b0 > leaf"])
    #expect(paths(timers[1]) == ["a1", "a1 > b1", "a1 > b1 > leaf"])
    #expect(paths(timers[2]) == ["a2", "a2 > leaf"])
  }

  @Test func selfTimeIsTotalLessChildrenAndNeverNegative() {
    let timer = quietTimer(clock)
    timer.measure("handle") {
      clock.advance(.milliseconds(3))
      timer.measure("parse") { clock.advance(.milliseconds(4)) }
      // Two at once, which take more than the enclosing span has left.
      let spans = (0..<5).map { _ in timer.begin("parallel") }
      clock.advance(.milliseconds(2))
      for span in spans { span.end() }
    }
    let report = timer.report()
    #expect(report["handle"]?.total == .milliseconds(9))
    #expect(report["handle", "parallel"]?.total == .milliseconds(10))
    #expect(report["handle"]?.selfTime == .zero)
    #expect(report["handle"]?.children.map(\.name) == ["parallel", "parse"])
  }
}
