import FixtureSupport
import ProcessMemory
import Testing

@Suite struct DetailedMemoryUsageTests {
  @Test func aRollup() throws {
    let details = try DetailedMemoryUsage.of(Recorded.processID, root: Recorded.root("odd-name"))
    #expect(details.residentBytes == 1732 * 1024)
    #expect(details.proportionalBytes == 404 * 1024)
    #expect(details.proportionalAnonymousBytes == 108 * 1024)
    #expect(details.privateDirtyBytes == 144 * 1024)
    #expect(details.uniqueBytes == 144 * 1024)
    #expect(details.lazyFreeBytes == 0)
  }

  @Test func withoutARollupTheMappingsAreAddedUp() throws {
    let details = try DetailedMemoryUsage.of(Recorded.processID, root: Recorded.root("no-rollup"))
    let usage = try MemoryUsage.of(Recorded.processID, root: Recorded.root("no-rollup"))
    #expect(details.residentBytes == usage.residentBytes)
    #expect(details.anonymousBytes == usage.anonymousBytes)
    // Rounded to kB mapping by mapping, so less than the rollup's 404 by up to one for each of 40 mappings.
    #expect(details.proportionalBytes > 360 * 1024)
    #expect(details.proportionalBytes <= 404 * 1024)
    #expect(details.proportionalAnonymousBytes == nil)
  }

  @Test func aReadingThatWouldHoldTheProcessUpTooLongIsNotMade() {
    let error = #expect(throws: ProcessMemoryError.self) {
      try DetailedMemoryUsage.of(
        Recorded.processID, budget: .microseconds(100), root: Recorded.root("pages-64k", pageSize: 65_536))
    }
    guard case .overBudget(_, let expected, _) = error else {
      Issue.record("an over-budget error was expected, not \(String(describing: error))")
      return
    }
    // 68 MiB at 9 ms for each GiB.
    #expect(expected > .microseconds(590) && expected < .microseconds(605))
  }

  @Test func theSpeedOfAnEarlierReadingForetellsTheNext() throws {
    var previous = try DetailedMemoryUsage.of(Recorded.processID, root: Recorded.root("odd-name"))
    previous.residentBytes = 1_073_741_824
    previous.readDuration = .milliseconds(1)
    // 68 MiB at 1 ms for each GiB is 67 µs.
    #expect(throws: ProcessMemoryError.unreadable(path: Recorded.root("pages-64k").path + "/1729/smaps", code: 2)) {
      try DetailedMemoryUsage.of(
        Recorded.processID, budget: .microseconds(100), previous: previous,
        root: Recorded.root("pages-64k", pageSize: 65_536))
    }
  }

  @Test func thisProcess() throws {
    let details = try DetailedMemoryUsage.of(ProcessIdentity.currentProcessID, budget: nil)
    #expect(details.proportionalBytes <= details.residentBytes)
    #expect(details.uniqueBytes <= details.residentBytes)
    #expect(details.anonymousBytes > 0)
    #expect(details.readDuration > .zero)
  }
}
