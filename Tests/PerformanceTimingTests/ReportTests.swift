import FixtureSupport
import Foundation
import PerformanceTiming
import Testing

@Suite struct ReportTests {
  private let clock = ManualClock()

  /// A thousand requests of a server that never was, with everything a report can have.
  private func example() -> PerformanceTimer {
    let timer = quietTimer(clock) {
      $0.nameLimit = 12
      $0.measuresThreadCPU = true
    }
    for number in 0..<1000 {
      timer.measure("handle") {
        clock.advance(.microseconds(310 + number % 7), threadCPU: .microseconds(200))
        timer.measure("parse") { clock.advance(.microseconds(380 + number % 50), threadCPU: .microseconds(380)) }
        timer.measure("store") {
          clock.advance(number % 100 == 7 ? .milliseconds(6) : .microseconds(430 + number % 90))
        }
      }
    }
    TestThread.run {
      let moved = timer.begin("moved")
      self.clock.advance(.milliseconds(5), threadCPU: .milliseconds(1))
      TestThread.run { moved.end() }
      timer.measure("moved") { self.clock.advance(.milliseconds(5), threadCPU: .milliseconds(1)) }
    }
    for name in ["odd;name", "two\nlines", "worker 7"] { timer.measure(name) { clock.advance(.milliseconds(2)) } }
    timer.stop("never started")
    timer.stop("never started")
    _ = timer.begin("let go")
    timer.start("upload")
    clock.advance(.milliseconds(2100))
    for number in 0..<30 {
      timer.start("request \(number)")
      clock.advance(.microseconds(40 + number))
      timer.stop("request \(number)")
    }
    return timer
  }

  @Test func theTextIsAsItWasFoundRight() {
    let difference = Golden.difference(example().report().text, "timing-report.txt")
    #expect(difference == nil)
  }

  @Test func theJSONIsAsItWasFoundRight() {
    let difference = Golden.difference(example().report().json, "timing-report.json")
    #expect(difference == nil)
  }

  @Test func theCollapsedStacksAreAsTheyWereFoundRight() {
    let stacks = example().report().collapsedStacks
    let difference = Golden.difference(stacks, "timing-report.collapsed")
    #expect(difference == nil)
  }

  @Test func theJSONIsReadBackAsTheSameReport() throws {
    let report = example().report()
    #expect(try JSONDecoder().decode(TimingReport.self, from: Data(report.json.utf8)) == report)
    let encoded = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(TimingReport.self, from: encoded) == report)
    // Foundation reads a comma too many; others do not.
    #expect(!report.json.contains(/,\s*[\]}]/))
    // The same keys by hand and by encoder.
    let byHand = try #require(JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? NSDictionary)
    let byEncoder = try #require(JSONSerialization.jsonObject(with: encoded) as? NSDictionary)
    #expect(byHand == byEncoder)
  }

  @Test func namesOfAnyKindAreReadBack() throws {
    let timer = quietTimer(clock)
    let names = ["", "\"", "\\", "\u{0}\u{1}\u{1F}\u{7F}", "a\tb\r\n", "/", "é ü 日本 👩‍👩‍👧", "\u{2028}"]
    for name in names { timer.measure(name) { clock.advance(.seconds(1)) } }
    let report = timer.report()
    let read = try JSONDecoder().decode(TimingReport.self, from: Data(report.json.utf8))
    #expect(Set(read.roots.map(\.name)) == Set(names))
    #expect(report.text.split(separator: "\n").count == names.count + 1)
  }

  /// What flame graph tools take: frames joined by semicolons, a space, a whole number that is not zero.
  @Test func collapsedStacksKeepTheRulesOfTheFormat() throws {
    let lines = example().report().collapsedStacks.split(separator: "\n")
    #expect(lines.count > 3)
    #expect(lines == lines.sorted())
    var stacks = Set<Substring>()
    for line in lines {
      let space = try #require(line.lastIndex(of: " "))
      #expect(try #require(Int64(line[line.index(after: space)...])) > 0)
      let stack = line[..<space]
      #expect(stacks.insert(stack).inserted)
      #expect(stack.split(separator: ";", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty })
      // A second number at the end would be taken for another profile.
      #expect(stack.split(separator: " ").count < 2 || Int(stack.split(separator: " ").last ?? "") == nil)
    }
    let total = lines.compactMap { Int64($0.split(separator: " ").last ?? "") }.reduce(0, +)
    let selves = example().report().nodes.reduce(Duration.zero) { $0 + $1.node.selfTime }
    #expect(Duration.nanoseconds(total) == selves)
  }

  @Test func nothingMeasuredIsSaid() {
    let report = quietTimer(clock).report()
    #expect(report.text == "no span has ended\n")
    #expect(report.collapsedStacks.isEmpty)
    #expect(report["no", "such"] == nil)
  }

  @Test func aPlaceWhoseSpansAreStillOpenStandsAboveItsChildren() {
    let timer = quietTimer(clock)
    timer.start("open")
    timer.measure("done") { clock.advance(.seconds(1)) }
    let report = timer.report()
    #expect(report["open"]?.count == 0)
    #expect(report["open", "done"]?.count == 1)
    #expect(report.text.contains("still running: open (1 s)"))
  }
}
