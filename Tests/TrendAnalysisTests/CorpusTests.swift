// The verdicts on 72 series of half an hour whose right answers are known.
import FixtureSupport
import Foundation
import Testing
import TrendAnalysis

/// One line of the corpus.
struct CorpusSeries: CustomTestStringConvertible, Sendable {
  var name: String
  var right: [Verdict]
  var isHealthy: Bool
  var samples: [TrendSample]

  var testDescription: String { name }

  static let all: [CorpusSeries] = {
    guard let text = try? String(contentsOfFile: Fixture.path("trend/corpus.tsv"), encoding: .utf8) else { return [] }
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let cells = line.split(separator: "\t")
      guard cells.count == 5 else { return nil }
      let pages = cells[4].split(separator: " ").compactMap { Double($0) }
      return CorpusSeries(
        name: String(cells[0]), right: cells[2].split(separator: ",").compactMap { Verdict(rawValue: String($0)) },
        isHealthy: cells[3] == "no",
        samples: pages.enumerated().map { TrendSample(elapsed: 2 * Double($0.offset), bytes: $0.element * 4096) })
    }
  }()
}

@Suite("The corpus of 72 series")
struct CorpusTests {
  @Test("it is complete")
  func isComplete() {
    #expect(CorpusSeries.all.count == 72)
    #expect(CorpusSeries.all.allSatisfy { $0.samples.count == 900 && !$0.right.isEmpty })
  }

  @Test("at least 70 of 72 are judged right")
  func score() {
    var wrong: [String] = []
    for series in CorpusSeries.all {
      let result = TrendAnalyzer().assess(series.samples)
      guard !series.right.contains(result.verdict) else { continue }
      wrong.append("\(series.name): \(result.verdict.rawValue), \(result.reason)")
    }
    for line in wrong { print("wrong:", line) }
    #expect(wrong.count <= 2, "\(wrong)")
  }

  @Test("no healthy series is called growing", arguments: CorpusSeries.all.filter(\.isHealthy))
  func healthy(_ series: CorpusSeries) {
    let result = TrendAnalyzer().assess(series.samples)
    #expect(result.verdict != .growing, "\(result.reason)")
  }

  @Test("the interval given or inferred makes no difference", arguments: CorpusSeries.all)
  func interval(_ series: CorpusSeries) {
    #expect(
      TrendAnalyzer().assess(series.samples).verdict == TrendAnalyzer().assess(series.samples, interval: 2).verdict)
  }
}
