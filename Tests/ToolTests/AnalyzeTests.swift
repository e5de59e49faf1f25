import FixtureSupport
import Foundation
import Testing

/// `leak-trend analyze`, as a user runs it on files.
@Suite struct AnalyzeTests {
  /// In the folder of the recordings, so that what is printed names them without a path.
  private func analyze(_ line: String, in folder: String = "recordings") throws -> ProcessResult {
    try Tool.shell("cd '\(Fixture.path(folder))' && leak-trend analyze \(line)")
  }

  @Test(
    arguments: [
      ("leak-300kb-min-ar-9-1mb.0", 1), ("warmup-tau-60s-40mb.0", 0), ("one-step-50.0", 2),
      ("decreasing-200kb-min.0", 0),
      ("sawtooth60-120-leak-500kb-min.0", 1),
    ] as [(String, Int32)])
  func theReportOfAFile(name: String, code: Int32) throws {
    let result = try analyze("\(name).csv")
    #expect(result.exitCode == code)
    #expect(result.error.isEmpty)
    if let difference = Golden.difference(result.output, "analyze-\(name).txt") { Issue.record("\(difference)") }
  }

  @Test func severalFilesAreALineEachAndTheWorstCodeCounts() throws {
    let result = try analyze(
      "constant.0.csv leak-1mb-min-white.0.csv one-step-50.0.csv /nowhere.csv")
    if let difference = Golden.difference(result.output, "analyze-several.txt") { Issue.record("\(difference)") }
    #expect(result.error == "leak-trend: cannot read /nowhere.csv: No such file or directory\n")
    #expect(result.exitCode == 66)
    #expect(try analyze("constant.0.csv leak-1mb-min-white.0.csv").exitCode == 1)
    #expect(try analyze("--fail-on none constant.0.csv leak-1mb-min-white.0.csv").exitCode == 0)
    #expect(try analyze("leak-1mb-min-white.0.csv one-step-50.0.csv --fail-on growing").exitCode == 1)
    #expect(try analyze("one-step-50.0.csv --fail-on growing").exitCode == 0)
  }

  @Test func whatOtherToolsRecorded() throws {
    // The first three are runs of three seconds: too few samples for any verdict, and said to be.
    for (name, code) in [("psrecord.txt", 2), ("psrecord.csv", 2), ("mprof.dat", 2), ("prmon.txt", 1)]
      as [(String, Int32)]
    {
      let result = try analyze(name + " --min-duration 1s")
      #expect(result.exitCode == code, "\(result)")
      if let difference = Golden.difference(result.output, "analyze-\(name).txt") { Issue.record("\(difference)") }
    }
  }

  @Test func standardInputIsAFileToo() throws {
    let result = try Tool.shell(
      "cat '\(Fixture.path("recordings/leak-1mb-min-white.0.csv"))' | leak-trend analyze --quiet -")
    #expect(result.output.hasPrefix("-: GROWING   +19.6 MiB"), "\(result)")
    #expect(result.exitCode == 1)
  }

  @Test func mistakesAreNamed() throws {
    for (line, code, message) in [
      ("", 64, "leak-trend analyze needs a file"),
      ("../proc/README.md", 66, "is no recording that is known (leak-trend, prmon, psrecord, mprof, or two columns"),
      ("--metric pss psrecord.csv", 64, "has no column for pss"),
      ("--metric megabytes psrecord.csv", 64, "--metric 'megabytes' is none of footprint, rss, pss, heap"),
      ("--warmup 95% psrecord.csv", 64, "--warmup '95%' is no share from 0% to 90%"),
      ("--fail-on sometimes psrecord.csv", 64, "--fail-on 'sometimes' is not growing, inconclusive or none"),
      ("--json a --json b psrecord.csv mprof.dat", 64, "--json and --svg take one file at a time"),
      ("--svg /nowhere/a.svg psrecord.csv", 64, "--svg: cannot create /nowhere/a.svg"),
      ("--svg mprof.dat psrecord.csv", 64, "--svg: mprof.dat exists already; --force replaces it"),
      ("--min-growth lots psrecord.csv", 64, "--min-growth: 'lots' is not an amount of memory"),
    ] as [(String, Int32, String)] {
      let result = try analyze(line, in: "recordings")
      #expect(result.exitCode == code, "\(line): \(result)")
      #expect(result.error.contains(message), "\(line): \(result)")
      #expect(result.error.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test func theOptionsOfTheVerdictAreHeeded() throws {
    let leak = "leak-300kb-min-ar-9-1mb.0.csv"
    #expect(try analyze("--min-growth 100MiB \(leak)").exitCode == 0)
    #expect(try analyze("--min-duration 2h \(leak)").output.contains("of the 2 h needed"))
    #expect(try analyze("--warmup 5m \(leak)").output.contains("in the 25 min judged"))
    #expect(try analyze("--warmup 0 \(leak)").output.contains("in the 30 min judged"))
  }

  @Test func theJSONHoldsWhatAProgramNeeds() throws {
    let tree = TemporaryTree()
    let result = try analyze(
      "leak-1mb-min-white.0.csv --json '\(tree.path)/report.json' --svg '\(tree.path)/picture.svg'")
    #expect(result.exitCode == 1)
    let data = try Data(contentsOf: URL(fileURLWithPath: tree.path + "/report.json"))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(report["schema"] as? String == "leak-trend.report")
    #expect(report["schemaVersion"] as? Int == 1)
    #expect(report["verdict"] as? String == "growing")
    #expect((report["reason"] as? String)?.hasPrefix("each of 8 epochs") == true)
    let assessment = try #require(report["assessment"] as? [String: Any])
    let evidence = try #require(assessment["evidence"] as? [String: Any])
    #expect(evidence["kendallS"] as? Int == 28)
    #expect((evidence["floors"] as? [Any])?.count == 8)
    let options = try #require(assessment["options"] as? [String: Any])
    #expect(options["minimumDuration"] as? Double == 1800)
    #expect(options["maximumStepShare"] as? Double == 0.45)
    #expect((report["samples"] as? [String: Any])?["count"] as? Int == 900)
    #expect((report["files"] as? [String])?.count == 2)

    let picture = try String(contentsOfFile: tree.path + "/picture.svg", encoding: .utf8)
    if let difference = Golden.difference(picture, "analyze-leak.svg") { Issue.record("\(difference)") }
    #expect(!picture.contains("http") || picture.components(separatedBy: "http").count == 2)
    let parsed = try ChildProcess.run([
      "python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", tree.path + "/picture.svg",
    ])
    #expect(parsed.exitCode == 0, "\(parsed.error)")
    // Nothing half-written stays behind.
    #expect(try FileManager.default.contentsOfDirectory(atPath: tree.path).sorted() == ["picture.svg", "report.json"])
  }

  @Test func whatWasCutOffIsJudgedByWhatIsWhole() throws {
    let tree = TemporaryTree()
    let whole = try String(contentsOfFile: Fixture.path("recordings/leak-1mb-min-white.0.csv"), encoding: .utf8)
    tree.write("cut.csv", String(whole.dropLast(7)))
    let result = try Tool.shell("cd '\(tree.path)' && leak-trend analyze cut.csv")
    #expect(result.exitCode == 1)
    #expect(result.output.contains("warning 1 row was not understood and left out, from line 901 on"), "\(result)")
  }

  @Test func aHostileNameIsPrintedAndDrawnAsText() throws {
    let tree = TemporaryTree()
    let name = "a<b>&\"c\u{1B}[31m.csv"
    tree.write(name, "0,1000000\n1,2000000\n2,1500000\n")
    let picture = tree.path + "/picture.svg"
    let result = try ChildProcess.run([
      BuiltProduct.path("leak-trend"), "analyze", tree.path + "/" + name, "--svg", picture,
    ])
    #expect(result.output.contains("?[31m.csv") && !result.output.contains("\u{1B}"))
    let parsed = try ChildProcess.run([
      "python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", picture,
    ])
    #expect(parsed.exitCode == 0, "\(parsed.error)")
  }

  @Test func aFolderThatIsFullOrShutIsSaidToBe() throws {
    let result = try analyze("leak-1mb-min-white.0.csv --json /dev/full")
    #expect(result.output.contains("warning cannot write /dev/full: No space left on device"), "\(result)")
    #expect(result.exitCode == 1)
  }
}
