import FixtureSupport
import IntrospectionTesting
import Testing

/// Rounds while other tests run: types of their own are judged, whatever the others do.
@Suite struct GrowthTests {
  @Test func nothingGrows() {
    #expect(expectNoGrowth { _ = Array(repeating: Event(), count: 10) })
  }

  @Test @MainActor func nothingGrowsOnAnActor() async throws {
    try await expectNoGrowth(warmup: 1, repeat: 3) {
      MainActor.assertIsolated()
      try await Task.sleep(for: .microseconds(100))
      _ = Event()
    }
  }

  @Test func aCacheThatFillsAndStops() {
    expectNoGrowth { _ = Squares.square(12) }
    // Without a warm-up the first round fills it, and only that one.
    expectNoGrowth(warmup: 0) { _ = Roots.shared.root(7) }
  }

  @Test func aOneOffAllocation() {
    var isFirst = true
    expectNoGrowth(warmup: 0, repeat: 2) {
      if isFirst { Vault.shared.keep(Basket()) }
      isFirst = false
    }
  }

  @Test func aTaskThatEndsLater() async {
    await expectNoGrowth {
      let late = LateObject()
      Task.detached {
        try await Task.sleep(for: .milliseconds(60))
        withExtendedLifetime(late) {}
      }
    }
  }

  @Test func aTypeThatGrowsIsNamed() {
    let found = findings {
      expectNoGrowth(warmup: 0, repeat: 3, within: .milliseconds(100)) { Vault.shared.keep(ScoreCard()) }
    }
    #expect(found.count == 1 && found.first?.severity == .failure)
    #expect(found.first?.message.contains("IntrospectionTestingTests.ScoreCard") == true, "\(found)")
  }

  @Test func aTypeThatGrowsIsNamedAsynchronously() async {
    let found = await findings {
      await expectNoGrowth(warmup: 0, repeat: 3, within: .milliseconds(100)) {
        await Task.yield()
        Vault.shared.keep(AsyncScoreCard())
      }
    }
    #expect(found.count == 1 && found.first?.severity == .failure)
    #expect(found.first?.message.contains("IntrospectionTestingTests.AsyncScoreCard") == true, "\(found)")
  }

  @Test func ignoredTypesMayGrow() {
    let found = findings {
      expectNoGrowth(warmup: 0, repeat: 2, within: .milliseconds(20), ignoring: ["IgnoredCard", "*Storage<*"]) {
        IgnoredCard.all.append(IgnoredCard())
      }
    }
    #expect(!found.contains { $0.message.contains("IgnoredCard") }, "\(found)")
  }

  @Test func errorsAreTheCallers() async {
    struct Failure: Error {}
    #expect(throws: Failure.self) { try expectNoGrowth { throw Failure() } }
    await #expect(throws: Failure.self) { try await expectNoGrowth { () async throws in throw Failure() } }
  }

  @Test func withinAnother() {
    expectNoGrowth(repeat: 2) { expectNoGrowth(repeat: 2) { _ = Event() } }
  }

  @Test func hostileNumbers() {
    expectNoGrowth(warmup: -5, repeat: -1) { _ = Event() }
  }
}

final class LateObject: Sendable {}
final class AsyncScoreCard: Sendable {}
final class IgnoredCard { static nonisolated(unsafe) var all: [IgnoredCard] = [] }
final class Roots {
  static nonisolated(unsafe) let shared = Roots()
  private var table: [Int: Root] = [:]
  func root(_ number: Int) -> Root {
    if let known = table[number] { return known }
    let made = Root()
    table[number] = made
    return made
  }
}
final class Root {}

/// Rounds in a process of their own, where everything is judged, and messages are always the same.
@Suite struct GrowthMessageTests {
  @Test func aRetainCycle() async {
    await #expect(processExitsWith: .success) {
      let found = findings {
        expectNoGrowth(within: .milliseconds(20)) {
          let connection = Connection()
          connection.peer = Connection()
          connection.peer?.peer = connection
        }
      }
      checkMessage(found, "growth-cycle.txt")
    }
  }

  @Test func aGrowingDictionary() async {
    await #expect(processExitsWith: .success) {
      checkMessage(findings { expectNoGrowth(within: .milliseconds(20)) { Scores.add() } }, "growth-dictionary.txt")
    }
  }

  @Test func blocksWithoutAType() async {
    await #expect(processExitsWith: .success) {
      checkMessage(findings { expectNoGrowth(within: .milliseconds(20)) { leakBlock(300) } }, "growth-blocks.txt")
    }
  }

  @Test func manyRounds() async {
    await #expect(processExitsWith: .success) {
      let found = findings {
        expectNoGrowth(repeat: 12, within: .milliseconds(20)) { IgnoredCard.all.append(IgnoredCard()) }
      }
      checkMessage(found, "growth-rounds.txt")
    }
  }

  @Test func asynchronously() async {
    await #expect(processExitsWith: .success) {
      let found = await findings {
        await expectNoGrowth(within: .milliseconds(20)) {
          await Task.yield()
          let connection = Connection()
          connection.onTimeout = { connection.delegate = nil }
        }
      }
      check(found.count == 1 && found.first?.message.contains("Connection is in a strong cycle") == true, "\(found)")
    }
  }

  @Test func blocksWithoutATypeAsynchronously() async {
    await #expect(processExitsWith: .success) {
      let found = await findings {
        await expectNoGrowth(within: .milliseconds(20)) {
          await Task.yield()
          // More than other threads free by chance in a round.
          leakBlock(50_000)
        }
      }
      check(
        found.count == 1 && found.first?.severity == .failure
          && found.first?.message.contains("blocks of 32768 to") == true, "\(found)")
    }
  }

  @Test func cleanCodeAlone() async {
    await #expect(processExitsWith: .success) {
      let found = findings {
        expectNoGrowth(within: .milliseconds(20)) { _ = (0..<100).map { "number \($0), long enough for the heap" } }
        expectNoGrowth(within: .milliseconds(20)) { _ = Squares.square(3) }
        expectNoGrowth(ignoring: .none) { allocateBlocks(20) }
      }
      check(found.isEmpty, "\(found)")
    }
  }
}
