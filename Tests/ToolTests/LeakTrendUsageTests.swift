import FixtureSupport
import Foundation
import Testing

/// Bad use gets one line that says what to type instead, and a code a script can tell apart.
@Suite struct LeakTrendUsageTests {
  @Test(
    arguments: [
      ([], 64, "nothing to watch: leak-trend -- COMMAND launches one, leak-trend --pid N watches a process that runs"),
      (["--intervall", "1s", "--", "true"], 64, "unknown option --intervall; did you mean --interval?"),
      (["-x", "--", "true"], 64, "unknown option -x; leak-trend --help lists the options"),
      (["--interval", "0", "--", "true"], 64, "--interval must be longer than 0"),
      (["--interval", "fast", "--", "true"], 64, "--interval: 'fast' is not a span of time; write it like"),
      (["--interval"], 64, "--interval needs a value: --interval TIME (leak-trend --help explains it)"),
      (["--interval", "2h", "--", "true"], 64, "--interval 2 h is longer than --duration 30 min"),
      (["--force=yes", "--", "true"], 64, "--force takes no value"),
      (["--pid", "shop"], 64, "--pid 'shop' is no process id; pidof NAME or pgrep NAME finds it"),
      (["--pid", "-4"], 64, "--pid '-4' is no process id"),
      (["--pid", "1", "--", "true"], 64, "--pid and a command exclude each other"),
      (["--pid", "2147483647"], 66, "no process has the pid 2147483647"),
      (["--", "no-such-command"], 66, "command not found: no-such-command (a program in this folder is started as"),
      (["--", "./no-such-command"], 66, "no such command: ./no-such-command"),
      (["--", "/etc/passwd"], 77, "not permitted to execute /etc/passwd"),
      (
        ["--csv", "/nowhere/run.csv", "--", "true"], 64,
        "--csv: cannot create /nowhere/run.csv: No such file or directory"
      ),
      (["--csv", "/dev/full", "--", "true"], 64, "--csv: cannot write to /dev/full: No space left on device"),
      (["--csv", "/etc/passwd", "--", "true"], 64, "--csv: /etc/passwd exists already; --force replaces it"),
    ] as [([String], Int32, String)])
  func oneClearLine(arguments: [String], code: Int32, message: String) throws {
    let result = try ChildProcess.run([BuiltProduct.path("leak-trend")] + arguments)
    #expect(result.exitCode == code, "\(result)")
    #expect(result.error.hasPrefix("leak-trend: " + message), "\(result)")
    #expect(result.error.filter { $0 == "\n" }.count == 1)
    #expect(result.output.isEmpty)
  }

  @Test func aScriptWithoutItsInterpreter() throws {
    let tree = TemporaryTree()
    tree.write("original", "#!/nowhere/interpreter\n")
    try tree.copyProgram(tree.path + "/original", as: "script")
    _ = try ChildProcess.run(["chmod", "+x", tree.path + "/script"])
    let result = try Tool.leakTrend("--", tree.path + "/script")
    #expect(result.exitCode == 66)
    #expect(result.error.contains("the interpreter that it names is missing"))
  }

  @Test func whatDoesNotStartLeavesNoFile() throws {
    let tree = TemporaryTree()
    for target in [["--", "no-such-command"], ["--", "/etc/passwd"], ["--pid", "2147483647"]] {
      let path = tree.path + "/run.csv"
      let result = try ChildProcess.run([BuiltProduct.path("leak-trend"), "--csv", path] + target)
      #expect(result.exitCode == 66 || result.exitCode == 77)
      #expect(try FileManager.default.contentsOfDirectory(atPath: tree.path) == [])
    }
  }

  @Test func helpNamesEveryExitCode() throws {
    let help = try Tool.leakTrend("--help")
    #expect(help.exitCode == 0)
    for text in [
      "0  stable or shrinking", "1  growing", "2  inconclusive", "3  the command failed", "64", "66", "77", "130, 143",
    ] {
      #expect(help.output.contains(text))
    }
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 120 })
  }
}
