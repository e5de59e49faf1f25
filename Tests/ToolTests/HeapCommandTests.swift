import FixtureSupport
import Foundation
import Testing

/// `introspect heap` and `leak-trend --types` as a user runs them.
@Suite(.serialized) struct HeapCommandTests {
  private func start(_ arguments: String...) throws -> ChildProcess {
    let child = try ChildProcess([BuiltProduct.path("scenario")] + arguments)
    _ = try #require(child.readLine())
    return child
  }

  private func introspect(_ arguments: String...) throws -> ProcessResult {
    try ChildProcess.run([BuiltProduct.path("introspect"), "heap"] + arguments)
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
  }

  @Test func oneCommandNamesTheTypes() throws {
    let child = try start("cache", "--rate", "600MiB/min", "--size", "512KiB")
    // Until it has made a session.
    for _ in 0..<200 {
      child.send(SIGUSR1)
      if child.readLine()?.contains("\"Session\":0") == false { break }
      usleep(50_000)
    }
    let result = try introspect("\(child.processID)")
    #expect(result.exitCode == 0)
    #expect(result.error.isEmpty)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines[0].split(separator: " ").map(String.init) == ["instances", "bytes", "type"])
    #expect(lines.contains { $0.hasSuffix("   scenario.Session") })
    #expect(lines.contains { $0.contains("Swift._DictionaryStorage<Int, Session>") && $0.contains("slots)") })
    #expect(try #require(lines.last).contains("100 % of the heap walked"))
  }

  @Test func theCountIsTheProgramsOwn() throws {
    let child = try start("populate", "--size", "560000")
    #expect(child.waitUntilQuiet())
    let census = try json(try introspect("\(child.processID)", "--json").output)
    let types = try #require(census["types"] as? [[String: Any]])
    let entries = try #require(types.first { $0["type"] as? String == "scenario.Entry" })
    #expect(entries["instances"] as? Int == 10_000)
    #expect(entries["kind"] as? String == "class")
    // Now and then malloc gives a little more than was asked for, rather than leave a piece too small to use.
    #expect((400_000...400_200).contains(entries["bytes"] as? Int ?? 0))
    #expect(census["pid"] as? Int == Int(child.processID))
    #expect(census["coverage"] as? Double == 1)
    #expect((census["totals"] as? [String: Any])?["live_blocks"] as? Int ?? 0 > 10_000)
    child.send(SIGUSR1)
    #expect(child.readLine()?.contains("\"Entry\":10000") == true)
  }

  @Test func whatGrowsIsFoundBetweenCensuses() throws {
    let child = try start("leak", "--rate", "120MiB/min")
    let result = try introspect("\(child.processID)", "--every", "300ms", "--count", "4")
    #expect(result.exitCode == 0)
    #expect(result.output.hasPrefix("grew each of 3 times\n"))
    #expect(result.output.contains("grew together"))
    #expect(result.output.contains("scenario.Session"))
    #expect(result.error.contains("census 4 of 4"))
    let growth = try json(
      try introspect("\(child.processID)", "--every", "200ms", "--count", "3", "--json", "--filter", "Session").output)
    let types = try #require(growth["types"] as? [[String: Any]])
    #expect(types.contains { $0["type"] as? String == "scenario.Session" && ($0["instances"] as? [Int])?.count == 3 })
  }

  @Test func interruptedItShowsWhatItHas() throws {
    let child = try start("leak", "--rate", "120MiB/min")
    let tool = try ChildProcess([
      BuiltProduct.path("introspect"), "heap", "\(child.processID)", "--every", "250ms", "--count", "99",
    ])
    while let line = tool.readErrorLine(), !line.hasPrefix("census 3 of") {}
    tool.send(SIGINT)
    let result = tool.finish()
    #expect(result.exitCode == 130)
    #expect(result.output.hasPrefix("grew "))
    // And when the process ends.
    let other = try ChildProcess([
      BuiltProduct.path("introspect"), "heap", "\(child.processID)", "--every", "250ms", "--count", "99",
    ])
    while let line = other.readErrorLine(), !line.hasPrefix("census 3 of") {}
    child.send(SIGKILL)
    child.wait()
    let ended = other.finish()
    #expect(ended.exitCode == 0)
    #expect(ended.output.hasPrefix("grew "))
    #expect(ended.error.contains("this is what was seen until then"))
  }

  @Test func wrongUseIsExplained() throws {
    for (arguments, words) in [
      (["heap"], "takes one process id"), (["heap", "x"], "takes one process id"),
      (["heap", "1", "--sort", "size"], "neither bytes nor count"), (["heap", "1", "--count", "1"], "from 2 to"),
      (["heap", "1", "--count", "3"], "needs --every"), (["heap", "1", "--every", "soon"], "--every"),
      (["heap", "1", "--every", "1us"], "between"),
    ] {
      let result = try ChildProcess.run([BuiltProduct.path("introspect")] + arguments)
      #expect(result.exitCode == 64 && result.error.contains(words) && result.output.isEmpty, "\(result)")
    }
    let missing = try introspect("2000000000")
    #expect(missing.exitCode == 66 && missing.error.contains("no process has the pid"))
    #expect(try introspect("--help").output.contains("--every TIME"))
  }

  @Test func leakTrendNamesTheTypesThatGrow() throws {
    let folder = TemporaryTree()
    let result = try Tool.leakTrend(
      "--types", "--duration", "10s", "--interval", "100ms", "--min-duration", "8s", "--stop-child", "--json",
      "\(folder.path)/r.json", "--svg", "\(folder.path)/r.svg", "--", BuiltProduct.path("scenario"), "leak", "--rate",
      "60MiB/min")
    let mayAbstain = result.error.contains("nothing was sampled for") || result.error.contains("samples are missing")
    guard !mayAbstain else { return }
    #expect(result.exitCode == 1, "\(result)")
    #expect(result.error.contains("types that grow together"), "\(result.error)")
    #expect(result.error.contains("scenario.Session"))
    #expect(result.error.contains("live heap  "))
    #expect(result.error.contains("censuses took"))
    let report = try json(try String(contentsOfFile: "\(folder.path)/r.json", encoding: .utf8))
    let trends = try #require((report["types"] as? [String: Any])?["trends"] as? [String: Any])
    let growing = try #require(trends["growing"] as? [[String: Any]])
    #expect(Set(growing.compactMap { $0["type"] as? String }).isSuperset(of: ["scenario.Session", "scenario.User"]))
    #expect((0.85...1.1).contains(trends["explainedShare"] as? Double ?? 0))
    #expect(report["cause"] as? String == "liveGrowth")
    #expect(try String(contentsOfFile: "\(folder.path)/r.svg", encoding: .utf8).contains("_ContiguousArrayStorage"))
  }

  @Test func theLiveHeapCanBeJudged() throws {
    let folder = TemporaryTree()
    let result = try Tool.leakTrend(
      "--metric", "heap", "--duration", "4s", "--interval", "100ms", "--csv", "\(folder.path)/r.csv", "--stop-child",
      "--", BuiltProduct.path("scenario"), "leak", "--rate", "60MiB/min")
    #expect(result.exitCode == 2, "\(result)")
    let rows = try String(contentsOfFile: "\(folder.path)/r.csv", encoding: .utf8).split(separator: "\n")
    #expect(rows[0].hasSuffix(",heap_used_bytes"))
    let live = rows.dropFirst().compactMap { Double($0.split(separator: ",").last ?? "") }
    #expect(live.count > 20 && (live.last ?? 0) > (live.first ?? 0) + 2e6)
    #expect(try Tool.leakTrend("--metric", "heap", "--children", "--pid", "1").exitCode == 64)
  }
}
