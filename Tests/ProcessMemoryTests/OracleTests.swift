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
  /// psutil and we read a process that sleeps. What it shares depends on all others, which come and go with the other
  /// tests, so the two read in turn, and must agree in every figure at some moment.
  @Test(.enabled(if: Oracle.hasPsutil, "psutil is missing; Tools/setup --tests installs it"))
  func agreesWithPsutil() throws {
    let target = try ChildProcess([
      "python3", "-c", "x = bytearray(20_000_000); print('ready', flush=True); import time; time.sleep(60)",
    ])
    #expect(target.readLine() == "ready")
    let psutil = try ChildProcess([
      Oracle.python, "-c",
      """
      import psutil, sys, time
      process = psutil.Process(int(sys.argv[1]))
      for _ in range(200):
        memory, full = process.memory_info(), process.memory_full_info()
        maps = len(process.memory_maps(False))
        print(memory.rss, memory.vms, full.uss, full.pss, full.swap, process.num_threads(), maps, flush=True)
        time.sleep(0.02)
      """, "\(target.processID)",
    ])
    var theirs: [UInt64] = []
    var ours: [UInt64] = []
    while let line = psutil.readLine() {
      theirs = line.split(separator: " ").compactMap { UInt64($0) }
      let details = try DetailedMemoryUsage.of(target.processID, budget: nil)
      let usage = try MemoryUsage.of(target.processID)
      ours = [
        usage.residentBytes, usage.virtualBytes, details.uniqueBytes, details.proportionalBytes, usage.swappedBytes,
        usage.threadCount, UInt64(try MemoryMap.of(target.processID).count),
      ]
      if ours == theirs { break }
    }
    #expect(ours.count == 7)
    #expect(ours == theirs)
    #expect(ours.first ?? 0 >= 20_000_000)
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
