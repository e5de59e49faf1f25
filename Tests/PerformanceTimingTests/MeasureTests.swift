import PerformanceTiming
import Testing

@Suite struct MeasureTests {
  private let clock = ManualClock()

  private struct Refused: Error, Equatable { let code: Int }
  private struct Ticket: ~Copyable { let number: Int }

  @Test func itReturnsWhatTheBodyReturns() {
    let timer = quietTimer(clock)
    #expect(timer.measure("plain") { 7 } == 7)
    #expect(timer.measure("name \(1)") { "text" } == "text")
    let ticket = timer.measure("not copyable") { Ticket(number: 3) }
    #expect(ticket.number == 3)
    #expect(timer.report().roots.map(\.count) == [1, 1, 1])
  }

  @Test func aThrowEndsTheSpanAndKeepsItsType() {
    let timer = quietTimer(clock)
    func refuse() throws(Refused) -> Int { throw Refused(code: 4) }
    do throws(Refused) {
      _ = try timer.measure("refused") { () throws(Refused) in
        clock.advance(.seconds(3))
        return try refuse()
      }
      Issue.record("nothing was thrown")
    } catch {
      #expect(error == Refused(code: 4))
    }
    let report = timer.report()
    #expect(report["refused"]?.total == .seconds(3))
    #expect(report.running.isEmpty)
  }

  @Test func anAsynchronousBodyIsMeasuredToItsEnd() async {
    let timer = quietTimer(clock)
    let value = await timer.measure("waits") {
      await Task.yield()
      clock.advance(.seconds(2))
      await Task.yield()
      return 5
    }
    #expect(value == 5)
    #expect(timer.report()["waits"]?.total == .seconds(2))
  }

  @Test func anAsynchronousThrowEndsTheSpanAndKeepsItsType() async {
    let timer = quietTimer(clock)
    do throws(Refused) {
      try await timer.measure("refused \(1)") { () async throws(Refused) in
        await Task.yield()
        throw Refused(code: 9)
      }
      Issue.record("nothing was thrown")
    } catch {
      #expect(error == Refused(code: 9))
    }
    #expect(timer.report()["refused 1"]?.count == 1)
  }

  @Test func cancellationEndsTheSpan() async {
    let timer = quietTimer()
    let task = Task {
      try await timer.measure("cancelled") { try await Task.sleep(for: .seconds(3600)) }
    }
    while timer.report().running.isEmpty { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let report = timer.report()
    #expect(report["cancelled"]?.count == 1)
    #expect(report.running.isEmpty)
  }

  @Test @MainActor func theBodyStaysOnTheActorOfTheCaller() async {
    let timer = quietTimer(clock)
    var visits = 0
    await timer.measure("main") {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      visits += 1
    }
    timer.measure("main") { visits += 1 }
    #expect(visits == 2)
  }

  @Test func recursionIsToldApartByDepth() {
    let timer = quietTimer(clock)
    func visit(_ depth: Int) {
      timer.measure("visit") {
        clock.advance(.seconds(1))
        if depth > 1 { visit(depth - 1) }
      }
    }
    visit(3)
    let report = timer.report()
    #expect(report["visit"]?.total == .seconds(3))
    #expect(report["visit", "visit"]?.total == .seconds(2))
    #expect(report["visit", "visit", "visit"]?.total == .seconds(1))
    #expect(report.nodes.map(\.node.selfTime) == [.seconds(1), .seconds(1), .seconds(1)])
  }
}
