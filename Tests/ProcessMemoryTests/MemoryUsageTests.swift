import FixtureSupport
import ProcessMemory
import Testing

@Suite struct MemoryUsageTests {
  @Test func commandWithParenthesesAndBlanks() throws {
    let usage = try MemoryUsage.of(Recorded.processID, root: Recorded.root("odd-name"))
    #expect(usage.residentBytes == 1732 * 1024)
    #expect(usage.anonymousBytes == 108 * 1024)
    #expect(usage.fileBytes == 1624 * 1024)
    #expect(usage.peakResidentBytes == 1732 * 1024)
    #expect(usage.virtualBytes == 2920 * 1024)
    #expect(usage.threadCount == 1)
    #expect(usage.minorFaults == 144)
    #expect(usage.majorFaults == 0)
    #expect(usage.division == .counted)
  }

  @Test func commandWithANewline() throws {
    let usage = try MemoryUsage.of(Recorded.processID, root: Recorded.root("newline-name"))
    #expect(usage.residentBytes == 1796 * 1024)
    #expect(usage.minorFaults == 186)
  }

  @Test func footprintIsAnonymousSharedAndSwapped() throws {
    let usage = try MemoryUsage.of(Recorded.processID, root: Recorded.root("pages-64k", pageSize: 65_536))
    #expect(usage.footprintBytes == (52_224 + 1024 + 2048) * 1024)
    #expect(usage.residentBytes == usage.anonymousBytes + usage.fileBytes + usage.sharedBytes)
    #expect(usage.minorFaults == 1204)
    #expect(usage.majorFaults == 17)
    #expect(usage.threadCount == 9)
  }

  @Test func anOldKernelsTotalsAreDividedByPagesOfItsSize() throws {
    let usage = try MemoryUsage.of(Recorded.processID, root: Recorded.root("totals-only", pageSize: 65_536))
    // statm says 272 pages of files and shared memory; of 64 KiB each, not of 4.
    #expect(usage.fileBytes == 272 * 65_536)
    #expect(usage.anonymousBytes == 69_632 * 1024 - 272 * 65_536)
    #expect(usage.division == .estimated)
    #expect(usage.peakResidentBytes == 70_656 * 1024)
  }

  @Test func aKernelThatSaysLittleLeavesWhatIsUnknownOut() throws {
    let usage = try MemoryUsage.of(Recorded.processID, root: Recorded.root("bare-minimum"))
    #expect(usage.peakResidentBytes == nil)
    #expect(usage.footprintBytes == 69_632 * 1024)
    #expect(usage.division == .estimated)
  }

  @Test func aZombieHasEnded() {
    #expect(throws: ProcessMemoryError.processEnded(processID: 1729)) {
      try MemoryUsage.of(Recorded.processID, root: Recorded.root("zombie"))
    }
  }

  @Test func aKernelThreadIsSaidToBeOne() {
    #expect(throws: ProcessMemoryError.kernelThread(processID: 1729)) {
      try MemoryUsage.of(Recorded.processID, root: Recorded.root("kernel-thread"))
    }
  }

  @Test func noSuchProcess() {
    #expect(throws: ProcessMemoryError.noSuchProcess(processID: 4)) {
      try MemoryUsage.of(4, root: Recorded.root("odd-name"))
    }
    // Larger than any pid the kernel gives out.
    #expect(throws: ProcessMemoryError.noSuchProcess(processID: Int32.max)) { try MemoryUsage.of(Int32.max) }
    #expect(throws: ProcessMemoryError.noSuchProcess(processID: -1)) { try MemoryUsage.of(-1) }
  }

  @Test func malformedFilesAreNamedWithTheLine() throws {
    let tree = TemporaryTree()
    tree.write("proc/7/stat", "7 (x) S 1 1 1 0 -1 0 5 0 0 0 0 0 0 0 20 0 1 0 99 0 0\n")
    tree.write("proc/7/status", "Name:\tx\nState:\tS (sleeping)\nVmSize:\tmuch\nThreads:\t1\n")
    let root = ProcRoot(path: tree.path + "/proc")
    let error = #expect(throws: ProcessMemoryError.self) { try MemoryUsage.of(7, root: root) }
    #expect(error?.description == "\(tree.path)/proc/7/status, line 3: a number of kB was expected")

    tree.write("proc/7/status", "Name:\tx\nState:\tS (sleeping)\nVmRSS:\t99999999999999999 kB\nThreads:\t1\n")
    #expect(throws: ProcessMemoryError.self) { try MemoryUsage.of(7, root: root) }
    tree.write("proc/7/status", "")
    #expect(throws: ProcessMemoryError.self) { try MemoryUsage.of(7, root: root) }
    tree.write("proc/7/status", "Name:\tx\nState:\tS (sleeping)\nVmRSS:\t4 kB\nThreads:\t1\n")
    tree.write("proc/7/stat", "7 no parentheses")
    #expect(throws: ProcessMemoryError.self) { try MemoryUsage.of(7, root: root) }
    tree.write("proc/7/stat", "7 (x) S 1 1 1 0")
    #expect(throws: ProcessMemoryError.self) { try MemoryUsage.of(7, root: root) }
  }

  @Test func linesBeforeTheInterestingOnesMayBeVeryLong() throws {
    let tree = TemporaryTree()
    let groups = (0..<20_000).map(String.init).joined(separator: " ")
    tree.write("proc/7/stat", "7 (x) S 1 1 1 0 -1 0 5 0 6 0 0 0 0 0 20 0 1 0 99 0 0\n")
    tree.write(
      "proc/7/status",
      "Name:\tx\nState:\tS (sleeping)\nGroups:\t\(groups)\nVmRSS:\t64 kB\nRssAnon:\t32 kB\nThreads:\t3\n")
    let usage = try MemoryUsage.of(7, root: ProcRoot(path: tree.path + "/proc"))
    #expect(usage.residentBytes == 65_536)
    #expect(usage.threadCount == 3)
  }

  /// Whatever the files hold, the answer is a value or an error of this module: never a crash, never a hang.
  @Test func damagedFilesNeverCrash() throws {
    let tree = TemporaryTree()
    let root = ProcRoot(path: tree.path + "/proc")
    var generator = SeededGenerator(seed: 20_261_130)
    let originals = try ["status", "stat", "statm", "smaps_rollup", "maps", "cmdline"].map { name in
      (name, try Fixture.bytes("proc/odd-name/proc/1729/\(name)"))
    }
    for _ in 0..<3000 {
      for (name, bytes) in originals { tree.write("proc/1729/\(name)", generator.damaged(bytes)) }
      _ = try? MemoryUsage.of(1729, root: root)
      _ = try? ProcessIdentity.of(1729, root: root)
      _ = try? DetailedMemoryUsage.of(1729, budget: nil, root: root)
      if let map = try? MemoryMap.of(1729, root: root) {
        for mapping in map { _ = mapping.name.utf8.count &+ Int(truncatingIfNeeded: mapping.byteCount) }
      }
      _ = HostMemoryFacts.read(for: 1729, root: root)
    }
  }
}
