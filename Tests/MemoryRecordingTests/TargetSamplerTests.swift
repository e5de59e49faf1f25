import FixtureSupport
import Foundation
import MemoryRecording
import ProcessMemory
import Testing

@Suite struct TargetSamplerTests {
  private let tree = TemporaryTree()
  private var root: ProcRoot { ProcRoot(path: tree.path + "/proc") }

  private func write(
    _ processID: Int32, parent: Int32 = 1, anonymous: Int, shared: Int = 0, state: String = "S (sleeping)",
    details: (anonymous: Int, shared: Int, lazyFree: Int)? = nil
  ) {
    let folder = "proc/\(processID)"
    tree.write("\(folder)/stat", "\(processID) (x) S \(parent) 1 1 0 -1 0 5 0 6 0 0 0 0 0 20 0 1 0 99 0 0\n")
    tree.write(
      "\(folder)/status",
      """
      Name:\tx\nState:\t\(state)\nVmHWM:\t\(anonymous + shared) kB\nVmRSS:\t\(anonymous + shared) kB
      RssAnon:\t\(anonymous) kB\nRssFile:\t0 kB\nRssShmem:\t\(shared) kB\nThreads:\t1\n
      """)
    guard let details else { return }
    tree.write(
      "\(folder)/smaps_rollup",
      """
      Rss: \(anonymous + shared) kB\nPss: \(details.anonymous + details.shared) kB\nPss_Anon: \(details.anonymous) kB
      Pss_File: 0 kB\nPss_Shmem: \(details.shared) kB\nAnonymous: \(anonymous) kB\nLazyFree: \(details.lazyFree) kB\n
      """)
  }

  private func writeChildren(_ processID: Int32, _ children: String) {
    tree.write("proc/\(processID)/task/\(processID)/children", children)
  }

  @Test func aProcessAloneIsItsUsage() throws {
    write(10, anonymous: 1000, shared: 24)
    writeChildren(10, "11 ")
    write(11, parent: 10, anonymous: 5000)
    var target = try TargetSampler(processID: 10, root: root)
    let reading = try target.sample()
    #expect(reading.footprintBytes == 1024 * 1024)
    #expect(reading.processCount == 1)
  }

  @Test func pagesThatWereGivenUpAreNotFootprint() throws {
    write(10, anonymous: 1000, details: (1000, 0, 400))
    var target = try TargetSampler(processID: 10, root: root)
    #expect(try target.sample().footprintBytes == 1000 * 1024)
    target.readDetails(budget: nil)
    let failure = target.detailsFailure
    #expect(failure == nil)
    #expect(try target.sample().footprintBytes == 600 * 1024)
    #expect(try target.sample().usage.residentBytes == 1000 * 1024)
  }

  @Test func inATreeEachSharedPageCountsOnce() throws {
    // A parent of 900 kB and two children forked from it; all share what nobody has written since.
    write(10, anonymous: 900, shared: 300, details: (320, 100, 0))
    writeChildren(10, "11 12")
    for child in [11, 12] as [Int32] {
      write(child, parent: 10, anonymous: 900, shared: 300, details: (320, 100, 0))
      writeChildren(child, "")
    }
    var target = try TargetSampler(processID: 10, includesChildren: true, root: root)
    let before = try target.sample()
    #expect(before.processCount == 3)
    #expect(before.usage.anonymousBytes == 2700 * 1024)
    let changed = target.treeHasChanged
    #expect(changed)
    target.readDetails(budget: nil)
    let stillChanged = target.treeHasChanged
    #expect(!stillChanged)
    let after = try target.sample()
    #expect(after.usage.anonymousBytes == 2700 * 1024)
    // Each share is truncated to whole bytes.
    #expect(abs(Int(after.footprintBytes) - 1260 * 1024) <= 6)
    let proportional = target.details?.proportionalBytes
    #expect(proportional == 1260 * 1024)
    // The shares hold until the next look: what a child takes since is its own growth, by its share.
    write(11, parent: 10, anonymous: 1800, shared: 300)
    #expect(abs(Int(try target.sample().footprintBytes) - (1260 + 320) * 1024) <= 6)
  }

  @Test func descendantsComeAndGo() throws {
    write(10, anonymous: 100)
    writeChildren(10, "")
    var target = try TargetSampler(processID: 10, includesChildren: true, root: root)
    #expect(try target.sample().processCount == 1)
    write(20, parent: 10, anonymous: 50)
    writeChildren(10, "20")
    write(30, parent: 20, anonymous: 25)
    writeChildren(20, "30")
    writeChildren(30, "")
    #expect(try target.sample().footprintBytes == 175 * 1024)
    // The one in the middle ends; the grandchild goes to another parent, and is still the target's.
    tree.write("proc/20/status", "Name:\tx\nState:\tZ (zombie)\nThreads:\t1\n")
    writeChildren(10, "")
    let reading = try target.sample()
    #expect(reading.processCount == 2)
    #expect(reading.footprintBytes == 125 * 1024)
    tree.write("proc/10/status", "Name:\tx\nState:\tZ (zombie)\nThreads:\t1\n")
    #expect(throws: ProcessMemoryError.processEnded(processID: 10)) { _ = try target.sample() }
  }

  @Test func withoutListsOfChildrenTheParentsTell() throws {
    write(10, anonymous: 100)
    write(20, parent: 10, anonymous: 50)
    write(30, parent: 20, anonymous: 25)
    write(40, parent: 1, anonymous: 1000)
    #expect(ProcessTree.descendants(of: 10, root: root) == [20, 30])
    var target = try TargetSampler(processID: 10, includesChildren: true, root: root)
    #expect(try target.sample().footprintBytes == 175 * 1024)
  }

  @Test func theDescendantsOfALiveProcess() throws {
    let child = try ChildProcess(["sh", "-c", "sleep 60 & sleep 60 & echo ready; wait"])
    #expect(child.readLine() == "ready")
    let descendants = ProcessTree.descendants(of: child.processID)
    #expect(descendants.count == 2)
    for descendant in descendants { kill(descendant, SIGKILL) }
  }

  /// The case of ten children forked from a large parent, alive.
  @Test func forkedChildrenOfALargeParent() throws {
    let child = try ChildProcess([
      "python3", "-c",
      """
      import os, time
      block = bytearray(os.urandom(1 << 20)) * 50
      for _ in range(5):
          if os.fork() == 0:
              time.sleep(60); os._exit(0)
      print("ready", flush=True)
      time.sleep(60)
      """,
    ])
    #expect(child.readLine() == "ready")
    var target = try TargetSampler(processID: child.processID, includesChildren: true)
    let plain = try target.sample()
    #expect(plain.processCount == 6)
    #expect(plain.usage.anonymousBytes > 6 * 50_000_000)
    target.readDetails(budget: nil)
    let failure = target.detailsFailure
    try #require(failure == nil)
    let shared = try target.sample().footprintBytes
    #expect(shared > 50_000_000 && shared < 90_000_000)
    for descendant in ProcessTree.descendants(of: child.processID) { kill(descendant, SIGKILL) }
  }

  @Test func aStoppedTargetIsSaidToBe() throws {
    write(10, anonymous: 100, state: "T (stopped)")
    var target = try TargetSampler(processID: 10, root: root)
    #expect(try target.sample().isStopped)
    write(10, anonymous: 100)
    #expect(try !target.sample().isStopped)
  }
}
