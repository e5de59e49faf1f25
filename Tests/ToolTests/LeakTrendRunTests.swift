import FixtureSupport
import Foundation
import Testing

/// leak-trend on real processes. One at a time: they sample on a clock.
@Suite(.serialized) struct LeakTrendRunTests {
  private let tree = TemporaryTree()
  private var csv: String { tree.path + "/run.csv" }

  private func rows() throws -> [[String]] {
    let text = try String(contentsOfFile: csv, encoding: .utf8)
    #expect(text.hasSuffix("\n"))
    return text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// Every row complete, time going forwards, and the sums right.
  private func checkRows(atLeast count: Int) throws {
    let rows = try rows()
    #expect(rows.count > count)
    #expect(rows.allSatisfy { $0.count == 13 })
    let elapsed = rows.dropFirst().compactMap { Double($0[0]) }
    #expect(elapsed.count == rows.count - 1)
    #expect(elapsed == elapsed.sorted())
    for row in rows.dropFirst() {
      let bytes = row[3...9].map { UInt64($0) ?? 0 }
      #expect(bytes[0] == bytes[1] + bytes[2] + bytes[3])
      #expect(bytes[6] == bytes[1] + bytes[3] + bytes[4])
    }
  }

  @Test func theCommandRunsAsItWouldWithoutUs() throws {
    let result = try Tool.shell(
      #"printf 'a\nb\n' | leak-trend -- sh -c 'cat; printf "%s|" "$@"' name 'x  y' '$HOME' ''"#)
    #expect(result.output == "a\nb\nx  y|$HOME||")
    #expect(result.exitCode == 2)
    #expect(result.error.contains("INCONCLUSIVE"))
    #expect(result.error.contains("exited with code 0"))
  }

  /// The signals that leak-trend waits for must reach the command as if it had been started by hand.
  @Test func theCommandsSignalsAreAsTheyWere() throws {
    let look = ["grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"]
    let byHand = try ChildProcess.run(look)
    let watched = try ChildProcess.run([BuiltProduct.path("leak-trend"), "--"] + look)
    #expect(byHand.output.hasPrefix("SigBlk:\t0000000000000000\n"))
    #expect(watched.output == byHand.output)
  }

  @Test func aSteadyLeakIsCaught() throws {
    let result = try Tool.leakTrend(
      "--duration", "20s", "--interval", "100ms", "--min-duration", "8s", "--csv", csv, "--",
      BuiltProduct.path("scenario"), "leak", "--rate", "60MiB/min", "--duration", "10s")
    // On a machine so busy that whole seconds go unsampled, saying so is right as well.
    let mayAbstain = result.error.contains("nothing was sampled for") || result.error.contains("samples are missing")
    #expect(result.exitCode == 1 || (result.exitCode == 2 && mayAbstain), "\(result)")
    #expect(result.error.hasPrefix("leak-trend: GROWING") || mayAbstain, "\(result)")
    #expect(result.error.contains("scenario leak --rate 60MiB/min --duration 10s (pid"))
    try checkRows(atLeast: 20)
    // The truth, from the leaking program itself: ten seconds at 1 MiB a second, in objects of 1280 bytes.
    #expect(result.output.contains("\"Session\":8"))
  }

  @Test func aShortRunIsInconclusiveUnlessAccepted() throws {
    let result = try Tool.leakTrend("--duration", "1s", "--interval", "100ms", "--", "sleep", "0.5")
    #expect(result.exitCode == 2)
    #expect(result.error.contains("INCONCLUSIVE"))
    #expect(result.error.contains("--min-duration"))
  }

  @Test(arguments: [("exit 7", "exited with code 7"), ("kill -SEGV $$", "was ended by signal 11 (Segmentation fault)")])
  func aCommandThatFailsIsToldApart(line: String, ending: String) throws {
    let result = try Tool.leakTrend("--", "bash", "-c", "sleep 0.3; " + line)
    #expect(result.exitCode == 3, "\(result)")
    #expect(result.error.contains(ending), "\(result)")
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func aSignalStillGetsTheReport(signal: Int32, code: Int32) throws {
    let target = try ChildProcess(["sleep", "60"])
    let tool = try ChildProcess([
      BuiltProduct.path("leak-trend"), "--pid", "\(target.processID)", "--interval", "50ms", "--csv", csv,
    ])
    for _ in 0..<500 where ((try? rows().count) ?? 0) < 5 { usleep(20_000) }
    tool.send(signal)
    let result = tool.finish()
    #expect(result.exitCode == code, "\(result)")
    #expect(result.error.contains("INCONCLUSIVE"))
    #expect(result.error.contains("footprint"))
    try checkRows(atLeast: 4)
    // The target is left alone.
    #expect(kill(target.processID, 0) == 0)
  }

  @Test func killedOutrightItLeavesWholeRows() throws {
    let target = try ChildProcess(["sleep", "60"])
    let tool = try ChildProcess([
      BuiltProduct.path("leak-trend"), "--pid", "\(target.processID)", "--interval", "10ms", "--csv", csv,
    ])
    for _ in 0..<500 where ((try? rows().count) ?? 0) < 20 { usleep(20_000) }
    tool.send(SIGKILL)
    tool.wait()
    try checkRows(atLeast: 19)
    let judged = try Tool.leakTrend("analyze", csv)
    #expect(judged.exitCode == 2)
    #expect(judged.output.contains("is a leak-trend CSV: took elapsed_s as seconds, footprint_bytes as bytes"))
  }

  @Test func aTargetThatEndsEndsTheRun() throws {
    let target = try ChildProcess(["sleep", "1"])
    let result = try Tool.leakTrend("--pid", "\(target.processID)", "--interval", "100ms", "--csv", csv)
    #expect(result.exitCode == 2)
    #expect(result.error.contains("ended after"))
    try checkRows(atLeast: 3)
    target.wait()
  }

  @Test func aProgramInAnotherLanguage() throws {
    let target = try ChildProcess([
      "python3", "-c", "import time\nkept = []\nwhile True: kept.append(bytearray(500_000)); time.sleep(0.05)",
    ])
    let result = try Tool.leakTrend(
      "--pid", "\(target.processID)", "--interval", "100ms", "--duration", "8s", "--min-duration", "6s")
    #expect(result.exitCode == 1 || result.error.contains("sampled"), "\(result)")
    #expect(result.error.contains("is left running"))
    #expect(kill(target.processID, 0) == 0)
  }

  @Test func aDiskThatFillsUpIsReportedAndEndsNothing() throws {
    // A limit of one block of 1 KiB on files: the header and some rows fit.
    let result = try Tool.shell(
      "trap '' XFSZ; ulimit -f 1; leak-trend --interval 10ms --duration 1s --csv '\(csv)' -- sleep 0.6")
    #expect(result.error.contains("warning"), "\(result)")
    #expect(result.error.contains("File too large; the file lacks samples"), "\(result)")
    #expect(result.error.contains("exited with code 0"))
    try checkRows(atLeast: 3)
  }

  @Test func withoutStandardErrorTheFileStaysClean() throws {
    let result = try Tool.shell("leak-trend --interval 20ms --csv '\(csv)' -- sleep 0.3 2>&- ; echo $?")
    #expect(result.output == "2\n")
    try checkRows(atLeast: 3)
    let closed = try Tool.shell("leak-trend --csv '\(csv)' --force --interval 20ms -- sleep 0.3 0<&- 1>&- 2>&-; true")
    #expect(closed.exitCode == 0)
    try checkRows(atLeast: 3)
  }

  @Test func aCommandIsEndedOnlyWhereThatIsAskedFor() throws {
    let asked = try Tool.leakTrend(
      "--duration", "500ms", "--interval", "50ms", "--stop-child", "--", "sh", "-c", "echo $$; exec sleep 60")
    #expect(asked.error.contains("was ended with signal 15 after"), "\(asked)")
    #expect(asked.exitCode == 2)
    let ended = try #require(Int32(asked.output.split(separator: "\n")[0]))
    #expect(kill(ended, 0) != 0)
    let unasked = try Tool.shell(
      "leak-trend --duration 500ms --interval 50ms -- sh -c 'echo $$; exec sleep 60 2>/dev/null' >'\(tree.path)/pid'")
    #expect(unasked.error.contains("is left running"))
    let left = try #require(
      Int32(try String(contentsOfFile: tree.path + "/pid", encoding: .utf8).split(separator: "\n")[0]))
    #expect(kill(left, 0) == 0)
    kill(left, SIGKILL)
  }

  @Test func aCommandsOwnFailureCanBePassedOn() throws {
    #expect(try Tool.leakTrend("--propagate-exit", "--", "sh", "-c", "exit 7").exitCode == 7)
    #expect(try Tool.leakTrend("--propagate-exit", "--", "sh", "-c", "kill -TERM $$").exitCode == 143)
    #expect(try Tool.leakTrend("--propagate-exit", "--fail-on", "growing", "--", "true").exitCode == 0)
  }

  /// Between the end of its memory and its exit code, a process has neither: with much memory, for long.
  @Test func theFailureOfACommandWithMuchMemoryIsNotMissed() throws {
    let source = """
      #include <string.h>
      #include <sys/mman.h>
      #include <unistd.h>
      int main(void) {
        size_t size = 256u << 20;
        char *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return 1;
        madvise(memory, size, MADV_NOHUGEPAGE);
        memset(memory, 1, size);
        usleep(50000);
        _exit(7);
      }
      """
    let program = try CompiledProgram.clang(source, as: "much", in: tree)
    let passedOn = try Tool.leakTrend("--interval", "1ms", "--propagate-exit", "--", program)
    #expect(passedOn.exitCode == 7, "\(passedOn)")
    #expect(passedOn.error.contains("exited with code 7"), "\(passedOn)")
    let told = try Tool.leakTrend("--interval", "1ms", "--", program)
    #expect(told.exitCode == 3, "\(told)")
  }

  @Test func quietIsOneLine() throws {
    let result = try Tool.leakTrend("--quiet", "--duration", "10s", "--min-duration", "1s", "--", "sleep", "0.3")
    #expect(result.error.filter { $0 == "\n" }.count == 1)
    #expect(result.error.contains("INCONCLUSIVE"))
  }

  @Test func aTargetThatWasStoppedIsReportedAsThat() throws {
    let target = try ChildProcess(["sleep", "60"])
    target.send(SIGSTOP)
    let result = try Tool.leakTrend(
      "--pid", "\(target.processID)", "--interval", "50ms", "--duration", "1s", "--min-duration", "500ms")
    #expect(result.error.contains("INCONCLUSIVE"), "\(result)")
    #expect(result.error.contains("the target was stopped (SIGSTOP or a debugger) at"), "\(result)")
  }

  @Test func aProcessTreeIsSummedUp() throws {
    let result = try Tool.leakTrend(
      "--children", "--interval", "50ms", "--duration", "5s", "--csv", csv, "--", "sh", "-c",
      "sleep 0.6 & sleep 0.6 & wait")
    #expect(result.exitCode == 2)
    let rows = try rows()
    #expect(rows[0].suffix(7).first == "processes")
    #expect(rows.contains { $0.count > 13 && $0[13] == "3" }, "\(rows)")
  }

  @Test func theReportGoesToFilesToo() throws {
    let result = try Tool.leakTrend(
      "--interval", "20ms", "--json", tree.path + "/r.json", "--svg", tree.path + "/r.svg", "--", "sh", "-c",
      "sleep 0.5; exit 3")
    #expect(result.exitCode == 3)
    let data = try Data(contentsOf: URL(fileURLWithPath: tree.path + "/r.json"))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(report["verdict"] as? String == "inconclusive")
    let subject = try #require(report["subject"] as? [String: Any])
    #expect(subject["exitCode"] as? Int == 3)
    let run = try #require(report["run"] as? [String: Any])
    #expect((run["cost"] as? [String: Any])?["processorSeconds"] as? Double ?? 0 > 0)
    #expect((run["allocators"] as? [String])?.first == "glibc")
    #expect((report["host"] as? [String: Any])?["pageSize"] as? Int ?? 0 > 0)
    #expect(try String(contentsOfFile: tree.path + "/r.svg", encoding: .utf8).hasPrefix("<svg"))
  }

  /// In a terminal of its own: the chart is set apart, and the terminal is given back as it was.
  @Test func onATerminalAChartIsDrawnAndTakenAway() throws {
    let run = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
    let arguments = [
      "python3", "-c", run, BuiltProduct.path("leak-trend"), "--interval", "20ms", "--duration", "1s", "--", "sleep",
      "2",
    ]
    let result = try ChildProcess.run(arguments, environment: ["TERM": "xterm", "NO_COLOR": ""])
    let screen = result.output
    let opened = try #require(screen.range(of: "\u{1B}[1;12r"), "\(result)")
    let closed = try #require(screen.range(of: "\u{1B}[r", options: .backwards))
    let report = try #require(screen.range(of: "INCONCLUSIVE", options: .backwards))
    #expect(opened.lowerBound < closed.lowerBound && closed.upperBound < report.lowerBound)
    #expect(screen.contains("Ctrl-C ends the run and prints the verdict"))
    #expect(screen.contains("\u{1B}[1;33mINCONCLUSIVE"))
    let plain = try ChildProcess.run(arguments, environment: ["TERM": "xterm", "NO_COLOR": "1"]).output
    #expect(!plain.contains("\u{1B}[1;33m") && plain.contains("INCONCLUSIVE"))
    let dumb = try ChildProcess.run(arguments, environment: ["TERM": "dumb"]).output
    #expect(!dumb.contains("\u{1B}"))
  }

  @Test func nothingIsDrawnWhereNoTerminalIs() throws {
    let result = try Tool.leakTrend("--interval", "20ms", "--", "sleep", "0.3")
    #expect(!result.error.contains("\u{1B}") && !result.error.contains("\r"))
  }
}
