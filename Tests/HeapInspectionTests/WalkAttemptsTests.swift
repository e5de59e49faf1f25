import FixtureSupport
import HeapInspection
import Testing

/// How often walks are made, when they lose their way so often.
private func walks(losses: (Int) -> Int) -> Int {
  var attempts = WalkAttempts()
  var walks = 1
  while attempts.another(afterLosses: losses(walks)) { walks += 1 }
  return walks
}

/// In processes of their own: what was found to last holds for the whole process.
@Suite struct WalkAttemptsTests {
  @Test func aWalkIsRepeatedUntilItKeepsItsWay() async {
    await #expect(processExitsWith: .success) {
      check(walks { _ in 0 } == 1, "whole")
      check(walks { $0 < 12 ? 1 : 0 } == 12, "broken for a while")
      check(walks { $0 < 3 ? 1 : 0 } == 3, "and again")
    }
  }

  @Test func aBreakThatStaysIsNotWaitedForTwice() async {
    await #expect(processExitsWith: .success) {
      let first = walks { $0 % 2 + 1 }
      check((10...100).contains(first), "\(first) walks")
      check(walks { _ in 1 } == 1, "what stays")
      check(walks { $0 < 5 ? 2 : 1 } == 5, "more than what stays")
    }
  }
}
