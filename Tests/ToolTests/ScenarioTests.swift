import FixtureSupport
import Foundation
import Testing

/// The scenarios tell the truth about themselves: later tests compare with it.
@Suite(.serialized) struct ScenarioTests {
  @Test func thePidComesFirstAndTheCountsOnRequest() throws {
    let child = try ChildProcess([BuiltProduct.path("scenario"), "leak", "--rate", "600MiB/min", "--duration", "30s"])
    #expect(child.readLine() == "pid \(child.processID)")
    let first = try line(from: child) { ($0["Session"] ?? 0) > 0 }
    let sessions = try liveCounts(first)["Session"] ?? 0
    _ = try line(from: child) { ($0["Session"] ?? 0) > sessions }
    child.send(SIGTERM)
    let last = try #require(child.readLine())
    #expect(child.wait() == 0)
    #expect(first.hasPrefix("{\"scenario\":\"leak\",\"pid\":\(child.processID),\"live\":{\"Session\":"))
    let counts = try [first, last].map { try liveCounts($0) }
    #expect(counts[0]["Session"] ?? 0 > 0)
    #expect(counts[0]["Session"] == counts[0]["User"])
    #expect(counts[1]["Session"] ?? 0 > counts[0]["Session"] ?? 0)
  }

  @Test(arguments: [
    "leak", "cycle", "cache", "warmup", "sawtooth", "fragment", "populate", "busy", "spin", "threads", "clock",
    "await",
  ])
  func eachRunsAndEnds(name: String) throws {
    let result = try ChildProcess.run([
      BuiltProduct.path("scenario"), name, "--duration", "1s", "--rate", "60MiB/min", "--size", "256KiB", "--period",
      "100ms",
    ])
    #expect(result.exitCode == 0, "\(result)")
    let counts = try liveCounts(String(result.output.split(separator: "\n").first { $0.hasPrefix("{") } ?? ""))
    let sessions = counts["Session"] ?? -1
    switch name {
    case "leak": #expect(sessions > 400)
    case "cycle": #expect(counts["Node"] ?? 0 > 400)
    case "cache": #expect((150...206).contains(sessions))
    case "warmup": #expect((195...206).contains(sessions))
    // Nothing is live but a pin a round.
    case "fragment": #expect((1...10).contains(sessions))
    case "busy": #expect(result.output.contains("requests ") && (0...2).contains(counts["Request"] ?? -1))
    // 256 KiB of 56 bytes each.
    case "populate": #expect(counts["Entry"] == 4681)
    default: #expect(sessions == 0)
    }
  }

  /// Asks for the counts until they are as they are to be; 10 s at most.
  private func line(from child: ChildProcess, until isReached: ([String: Int]) -> Bool) throws -> String {
    var line = ""
    for _ in 0..<200 {
      child.send(SIGUSR1)
      line = try #require(child.readLine())
      if isReached(try liveCounts(line)) { return line }
      usleep(50_000)
    }
    Issue.record("not reached within 10 s: \(line)")
    return line
  }

  private func liveCounts(_ line: String) throws -> [String: Int] {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return try #require(object?["live"] as? [String: Int], "\(line)")
  }
}
