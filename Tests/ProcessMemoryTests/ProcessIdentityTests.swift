import FixtureSupport
import Foundation
import ProcessMemory
import Testing

@Suite struct ProcessIdentityTests {
  @Test func recordedProcesses() throws {
    let odd = try ProcessIdentity.of(Recorded.processID, root: Recorded.root("odd-name"))
    #expect(odd.name == "sleep (2) .sh")
    #expect(odd.commandLine == ["./sleep (2) .sh", "100"])
    #expect(odd.startTime == 165_461)
    #expect(odd.userID == 0)
    #expect(odd.executable == nil)
    #expect(try ProcessIdentity.of(Recorded.processID, root: Recorded.root("newline-name")).name == "two\nlines")
    #expect(try ProcessIdentity.of(Recorded.processID, root: Recorded.root("zombie")).commandLine == [])
    let shop = try ProcessIdentity.of(Recorded.processID, root: Recorded.root("pages-64k"))
    #expect(shop.commandLine == ["shop", "--port", ""])
    #expect(shop.userID == 1000)
  }

  @Test func aDeletedProgramIsStillRead() throws {
    let tree = TemporaryTree()
    try tree.copyProgram("/usr/bin/sleep", as: "my sleep")
    let child = try ChildProcess([tree.path + "/my sleep", "100"])
    let before = try ProcessIdentity.of(child.processID)
    #expect(before.executable == tree.path + "/my sleep")
    #expect(!before.executableIsDeleted)
    tree.remove("my sleep")
    let after = try ProcessIdentity.of(child.processID)
    #expect(after.executable == tree.path + "/my sleep")
    #expect(after.executableIsDeleted)
    #expect(after.buildID == before.buildID)
  }

  @Test(.enabled(if: Oracle.hasReadelf, "readelf is missing; Tools/setup --tests installs it"))
  func theBuildIDIsTheOneReadelfFinds() throws {
    let child = try ChildProcess(["sleep", "60"])
    let output = try ChildProcess.run(["readelf", "-n", "/proc/\(child.processID)/exe"]).output
    let readelf = try #require(output.split(separator: "\n").first { $0.contains("Build ID:") })
    let expected = readelf.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    let identity = try ProcessIdentity.of(child.processID)
    #expect(identity.buildID == expected)
  }

  @Test func filesThatAreNoElfHaveNoBuildID() throws {
    let tree = TemporaryTree()
    tree.write("proc/7/stat", "7 (x) S 1 1 1 0 -1 0 5 0 6 0 0 0 0 0 20 0 1 0 99 0 0\n")
    tree.write("proc/7/status", "Name:\tx\nState:\tS (sleeping)\nVmRSS:\t64 kB\nThreads:\t3\n")
    tree.link("proc/7/exe", to: "\(tree.path)/program")
    let root = ProcRoot(path: tree.path + "/proc")
    tree.write("program", "#!/bin/sh\n")
    #expect(try ProcessIdentity.of(7, root: root).buildID == nil)
    // Truncated and damaged programs, seeded: nothing or an id, never a crash.
    let program = Array(try Data(contentsOf: URL(fileURLWithPath: "/usr/bin/true")).prefix(4096))
    tree.write("program", program)
    let whole = try ProcessIdentity.of(7, root: root).buildID
    #expect(whole?.count == 40)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      tree.write("program", generator.damaged(Array(program.prefix(1200))))
      _ = try ProcessIdentity.of(7, root: root)
    }
  }

  @Test func thisProcess() throws {
    let identity = try ProcessIdentity.current()
    #expect(identity.processID == getpid())
    #expect(identity.commandLine == CommandLine.arguments)
    #expect(identity.userID == getuid())
  }
}
