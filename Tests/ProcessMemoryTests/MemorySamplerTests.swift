import FixtureSupport
import Foundation
import ProcessMemory
import Testing

@Suite struct MemorySamplerTests {
  @Test func aProcessThatEndsIsSaidToHaveEnded() throws {
    let child = try ChildProcess(["sleep", "100"])
    var sampler = try MemorySampler(processID: child.processID)
    #expect(try sampler.sample().residentBytes > 0)
    child.send(SIGKILL)
    child.wait()
    #expect(throws: ProcessMemoryError.processEnded(processID: child.processID)) { _ = try sampler.sample() }
    #expect(throws: ProcessMemoryError.processEnded(processID: child.processID)) { _ = try sampler.sample() }
  }

  @Test func aZombieIsSaidToHaveEndedAndThePidfdTellsAtOnce() throws {
    let child = try ChildProcess(["sleep", "100"])
    var sampler = try MemorySampler(processID: child.processID)
    child.send(SIGKILL)
    let exitDescriptor = sampler.exitDescriptor
    let descriptor = try #require(exitDescriptor)
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&poller, 1, 10_000) == 1)
    #expect(throws: ProcessMemoryError.processEnded(processID: child.processID)) { _ = try sampler.sample() }
    child.wait()
  }

  @Test func aRecycledPidIsAnotherProcess() throws {
    let tree = TemporaryTree()
    let status = "Name:\tx\nState:\tS (sleeping)\nVmRSS:\t64 kB\nRssAnon:\t32 kB\nThreads:\t3\n"
    tree.write("proc/7/stat", "7 (x) S 1 1 1 0 -1 0 5 0 6 0 0 0 0 0 20 0 1 0 99 0 0\n")
    tree.write("proc/7/status", status)
    let root = ProcRoot(path: tree.path + "/proc")
    var sampler = try MemorySampler(processID: 7, root: root)
    #expect(sampler.startTime == 99)
    #expect(try sampler.sample().residentBytes == 65_536)
    tree.write("proc/7/stat", "7 (y) S 1 1 1 0 -1 0 5 0 6 0 0 0 0 0 20 0 1 0 100 0 0\n")
    #expect(throws: ProcessMemoryError.processReplaced(processID: 7)) { _ = try sampler.sample() }
  }

  @Test func aProcessThatEndedAndWhosePidCameBackIsReplaced() throws {
    let tree = TemporaryTree()
    let root = ProcRoot(path: tree.path + "/proc")
    tree.write("proc/7/stat", "7 (x) S 1 1 1 0 -1 0 5 0 6 0 0 0 0 0 20 0 1 0 99 0 0\n")
    tree.write("proc/7/status", "Name:\tx\nState:\tS (sleeping)\nVmRSS:\t64 kB\nRssAnon:\t32 kB\nThreads:\t1\n")
    var sampler = try MemorySampler(processID: 7, root: root)
    // The files that are open show the old process dead; under the same names is a new one.
    tree.write("proc/7/status", "Name:\tx\nState:\tZ (zombie)\nThreads:\t1\n")
    #expect(throws: ProcessMemoryError.processEnded(processID: 7)) { _ = try sampler.sample() }
    tree.remove("proc/7/stat")
    tree.write("proc/7/stat", "7 (y) S 1 1 1 0 -1 0 5 0 6 0 0 0 0 0 20 0 1 0 100 0 0\n")
    #expect(throws: ProcessMemoryError.processReplaced(processID: 7)) { _ = try sampler.sample() }
  }

  @Test func aProcessWhoseFirstThreadEndedIsReadThroughAnother() throws {
    let tree = TemporaryTree()
    tree.write("proc/7/stat", "7 (x) Z 1 1 1 0 -1 0 5 0 6 0 0 0 0 0 20 0 1 0 99 0 0\n")
    tree.write("proc/7/status", "Name:\tx\nState:\tZ (zombie)\nThreads:\t3\n")
    tree.write("proc/7/task/7/status", "Name:\tx\nState:\tZ (zombie)\nThreads:\t3\n")
    tree.write("proc/7/task/8/status", "Name:\tx\nState:\tZ (zombie)\nThreads:\t3\n")
    tree.write(
      "proc/7/task/9/status", "Name:\tx\nState:\tS (sleeping)\nVmRSS:\t64 kB\nRssAnon:\t32 kB\nThreads:\t3\n")
    var sampler = try MemorySampler(processID: 7, root: ProcRoot(path: tree.path + "/proc"))
    #expect(try sampler.sample().anonymousBytes == 32_768)
  }

  @Test func aLiveProcessWhoseFirstThreadEnded() throws {
    // Python's main thread leaves through pthread_exit; the other one keeps the process alive.
    let child = try ChildProcess([
      "python3", "-c",
      """
      import ctypes, threading, time
      threading.Thread(target=lambda: time.sleep(60)).start()
      print("ready", flush=True)
      ctypes.CDLL(None).pthread_exit(None)
      """,
    ])
    #expect(child.readLine() == "ready")
    for _ in 0..<200 where !stateIsZombie(child.processID) { usleep(10_000) }
    try #require(stateIsZombie(child.processID))
    var sampler = try MemorySampler(processID: child.processID)
    #expect(try sampler.sample().residentBytes > 1_000_000)
  }

  private func stateIsZombie(_ processID: Int32) -> Bool {
    (try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8))?.contains("State:\tZ") ?? false
  }

  /// Processes are listed and gone again before they are read: each is a value or an error, and none of another kind.
  @Test func processesThatExitBetweenListingAndReading() throws {
    for _ in 0..<50 {
      let child = try ChildProcess(["true"])
      do throws(ProcessMemoryError) {
        _ = try MemoryUsage.of(child.processID)
      } catch {
        #expect(
          error == .processEnded(processID: child.processID) || error == .noSuchProcess(processID: child.processID))
      }
      child.wait()
    }
  }

  @Test func samplingAllocatesNothing() throws {
    var sampler = try MemorySampler(processID: ProcessIdentity.currentProcessID)
    _ = try sampler.sample()
    // Other tests allocate meanwhile, so what counts is this thread's own share: a run in which nothing changed.
    var quiet = false
    for _ in 0..<1000 where !quiet {
      let before = try AllocatorStatistics.current()
      for _ in 0..<20 { _ = try sampler.sample() }
      quiet = try AllocatorStatistics.current() == before
    }
    #expect(quiet)
  }
}
