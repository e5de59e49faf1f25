import FixtureSupport
import Foundation
import ProcessMemory
import Testing

/// Programs that know the right answer too.
enum Oracle {
  /// The Python that has psutil; `Tools/setup --tests` provides it.
  static let python = Fixture.root + "/../../.build/oracles/bin/python3"
  static let hasPsutil = (try? ChildProcess.run([python, "-c", "import psutil"]))?.exitCode == 0
  static let hasReadelf = (try? ChildProcess.run(["readelf", "--version"]))?.exitCode == 0
}

@Suite struct OracleTests {
  /// psutil reads a process that sleeps; so do we, before and after.
  @Test(.enabled(if: Oracle.hasPsutil, "psutil is missing; Tools/setup --tests installs it"))
  func agreesWithPsutil() throws {
    let target = try ChildProcess([
      "python3", "-c", "x = bytearray(20_000_000); print('ready', flush=True); import time; time.sleep(60)",
    ])
    #expect(target.readLine() == "ready")
    let before = try MemoryUsage.of(target.processID)
    // The oracle stays alive while we read: it maps files of the target too, and its presence changes what is shared.
    let psutil = try ChildProcess([
      Oracle.python, "-c",
      """
      import psutil, sys
      process = psutil.Process(int(sys.argv[1]))
      memory, full = process.memory_info(), process.memory_full_info()
      print(memory.rss, memory.vms, full.uss, full.pss, full.swap, process.num_threads(), len(process.memory_maps(False)),
        flush=True)
      import time
      time.sleep(60)
      """, "\(target.processID)",
    ])
    let figures = (psutil.readLine() ?? "").split(separator: " ").compactMap { UInt64($0) }
    try #require(figures.count == 7)
    let after = try MemoryUsage.of(target.processID)
    try #require(before == after, "a sleeping process changed")
    let details = try DetailedMemoryUsage.of(target.processID, budget: nil)
    #expect(after.residentBytes == figures[0])
    #expect(after.virtualBytes == figures[1])
    #expect(details.uniqueBytes == figures[2])
    #expect(details.proportionalBytes == figures[3])
    #expect(after.swappedBytes == figures[4])
    #expect(after.threadCount == figures[5])
    #expect(after.footprintBytes >= 20_000_000)
    #expect(UInt64(try MemoryMap.of(target.processID).count) == figures[6])
  }

  /// Every process of this machine that may be read: the kinds add up to the total.
  @Test func theKindsOfEveryProcessAddUp() throws {
    var count = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      guard let processID = Int32(name), let usage = try? MemoryUsage.of(processID) else { continue }
      count += 1
      #expect(usage.residentBytes == usage.anonymousBytes + usage.fileBytes + usage.sharedBytes)
      #expect(usage.division == .counted)
    }
    #expect(count > 0)
  }

  /// As another user, everyone's `status` may be read and nobody's memory map.
  @Test(.enabled(if: getuid() == 0, "needs root, to start a process of another user"))
  func aProcessOfAnotherUser() throws {
    let other = try ChildProcess(["setpriv", "--reuid=65534", "--clear-groups", "sleep", "60"])
    for _ in 0..<500 where (try? ProcessIdentity.of(other.processID))?.userID != 65_534 { usleep(10_000) }
    let tool = BuiltProduct.path("introspect")
    // The tool may be in a folder that others may not enter; a copy under /tmp can be run by anyone.
    let tree = TemporaryTree()
    chmod(tree.path, 0o755)
    try tree.copyProgram(tool, as: "introspect")
    let rootOwned = try ChildProcess(["sleep", "60"])
    let reading = try ChildProcess.run([
      "setpriv", "--reuid=65534", "--clear-groups", "--", tree.path + "/introspect", "memory", "\(rootOwned.processID)",
    ])
    #expect(reading.exitCode == 0, "\(reading)")
    #expect(reading.output.contains("footprint"))
    #expect(
      reading.output.contains("belongs to user id 0; run as that user or as root, or give this program CAP_SYS_PTRACE"))
  }
}
