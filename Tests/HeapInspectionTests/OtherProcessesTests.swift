import FixtureSupport
import Foundation
import HeapInspection
import ProcessMemory
import Testing

/// Processes that are not what a census hopes for.
@Suite struct OtherProcessesTests {
  @Test func aProcessWithoutSwiftHasNoTypes() throws {
    let child = try ChildProcess(["sleep", "100"])
    #expect(child.waitUntilQuiet())
    let census = try HeapSnapshot.take(of: .process(child.processID)).census
    #expect(census.types.isEmpty)
    #expect(census.totals.liveBlocks > 0)
    #expect(census.text().hasPrefix("no object of Swift or C++ was found\n"))
  }

  @Test func aProcessThatIsNotThereIsSaidToBe() throws {
    #expect(throws: HeapInspectionError.process(.noSuchProcess(processID: 2_000_000_000))) {
      try HeapSnapshot.take(of: .process(2_000_000_000))
    }
  }

  @Test func aProcessThatEndsWhileItIsLookedAtIsAnErrorAndNoZero() throws {
    let program = try Build.release.start()
    let inspector = try HeapInspector(program.child.processID)
    #expect(try inspector.snapshot().census["HeapTruth.Plain"]?.instances == 1001)
    program.child.send(SIGKILL)
    program.child.wait()
    do throws(HeapInspectionError) {
      _ = try inspector.snapshot()
      Issue.record("a census of a process that is gone")
    } catch {
      guard case .process = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func killedInTheMiddleOfManyCensusesNothingIsMadeUp() throws {
    // The process ends at a random moment of one of the walks: each census is whole, or an error.
    for delay in [2_000, 5_000, 9_000, 14_000] as [useconds_t] {
      let program = try Build.release.start()
      let child = program.child
      let inspector = try HeapInspector(child.processID)
      let killer = Thread { [processID = child.processID] in
        usleep(delay)
        kill(processID, SIGKILL)
      }
      killer.start()
      var censuses = 0
      while censuses < 10_000, let census = try? inspector.snapshot().census {
        #expect(census["HeapTruth.Plain"]?.instances == 1001)
        censuses += 1
      }
      #expect(censuses < 10_000)
      child.wait()
    }
  }

  @Test(arguments: [false, true])
  func anArenaOfSeveralHeapsIsWalkedToItsEnd(withForeignBreak: Bool) throws {
    let folder = TemporaryTree()
    let source = try String(contentsOfFile: Fixture.path("programs/SeveralHeaps.c"), encoding: .utf8)
    let program = try CompiledProgram.clang(source, as: "SeveralHeaps", in: folder, flags: ["-pthread"])
    let child = try ChildProcess([program] + (withForeignBreak ? ["foreign"] : []))
    let live = try #require(child.readLine().flatMap { UInt64($0) })
    #expect(child.waitUntilQuiet())
    let census = try HeapSnapshot.take(of: .process(child.processID)).census
    // The end of the first heap is free; besides the program's blocks there is what starting a program leaves.
    #expect(live > 140_000_000 && census.totals.freeBytes >= 3_000_000)
    #expect((live...live + 65_536).contains(census.totals.liveBytes), "\(census.totals)")
    // What somebody else took from the break is passed over, and said to be.
    #expect(census.totals.resynchronizations == (withForeignBreak ? 1 : 0), "\(census.totals)")
    #expect(census.totals.mappedBytes - census.totals.walkedBytes <= (withForeignBreak ? 8192 + 64 : 0))
  }

  @Test func anotherAllocatorIsNamedAnApproximation() throws {
    let folder = TemporaryTree()
    let library = "\(folder.path)/libjemalloc.so.2"
    let build = try ChildProcess.run([
      "clang", "-shared", "-fPIC", "-O1", Fixture.path("programs/BumpAllocator.c"), "-o", library,
    ])
    #expect(build.exitCode == 0, "\(build.error)")
    let program = try CompiledProgram.swift("HeapTruth", as: "HeapTruth", module: "HeapTruth", flags: ["-O"])
    let child = try ChildProcess([program], environment: ["LD_PRELOAD": library])
    _ = try #require(child.readLine())
    let census = try HeapSnapshot.take(of: .process(child.processID)).census
    #expect(census.method == .scan)
    // Whatever is never freed is counted exactly; what was freed is still there, and that is why it says so.
    #expect(census["HeapTruth.Plain"]?.instances == 1001)
    #expect(census["HeapTruth.Wide"]?.instances == 33)
    #expect(census["HeapTruth.GenericBox<Swift.Int>"]?.instances == 10)
    #expect(census.text().contains("approximate: the allocator is not glibc's"))
    #expect(throws: HeapInspectionError.self) { try HeapInspector(child.processID).liveBytes() }
  }

  @Test func whatIsNotPermittedIsExplained() throws {
    // As root: a user without rights asks about a process of root. Otherwise: about the first process.
    let child = try ChildProcess(["sleep", "100"])
    let arguments = [BuiltProduct.path("introspect"), "heap", geteuid() == 0 ? "\(child.processID)" : "1"]
    let prefix = geteuid() == 0 ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : []
    let folder = TemporaryTree()
    chmod(folder.path, 0o755)
    try folder.copyProgram(arguments[0], as: "introspect")
    let result = try ChildProcess.run(prefix + ["\(folder.path)/introspect"] + arguments.dropFirst())
    #expect(result.exitCode == 77, "\(result)")
    #expect(result.error.contains("CAP_SYS_PTRACE"))
    #expect(result.output.isEmpty)
  }
}
