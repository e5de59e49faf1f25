import FixtureSupport
import Foundation
import MemoryRecording
import ProcessMemory
import Testing
import TrendAnalysis

@Suite struct SeriesFileTests {
  private let tree = TemporaryTree()

  private func read(_ text: String, metric: MemoryMetric? = nil) throws -> RecordedSeries {
    tree.write("series", text)
    return try SeriesFile.read(tree.path + "/series", metric: metric)
  }

  @Test func ourOwnComesBackAsItWasWritten() throws {
    let root = ProcRoot(path: Fixture.path("proc/pages-64k/proc"), pageSize: 65_536)
    var target = try TargetSampler(processID: 1729, root: root)
    var reading = try target.sample()
    let path = tree.path + "/own.csv"
    var file = try RecordingFile(creatingAt: path, form: RecordingCSV(hasProcessCount: true), overwriting: false)
    var expected: [TrendSample] = []
    for index in 0..<500 {
      reading.footprintBytes += 4096
      let elapsed = Double(index) + 0.125
      let isGap = index % 50 == 7
      file.append(
        RecordedSample(elapsed: elapsed, unixTime: 1.8e9, processID: 42, reading: isGap ? nil : reading))
      if !isGap { expected.append(TrendSample(elapsed: elapsed, bytes: reading.footprintBytes)) }
    }
    let series = try SeriesFile.read(path)
    #expect(series.format == .leakTrend)
    #expect(series.metric == .footprint)
    #expect(series.samples == expected)
    #expect(series.emptyRowCount == 10)
    #expect(series.malformedRowCount == 0)
    let rss = try SeriesFile.read(path, metric: .rss)
    #expect(rss.samples.allSatisfy { $0.bytes == 71_303_168 })
    #expect(throws: SeriesFileError.self) { try SeriesFile.read(path, metric: .heap) }
  }

  @Test func psrecord() throws {
    for name in ["psrecord.txt", "psrecord.csv"] {
      let series = try SeriesFile.read(Fixture.path("recordings/" + name))
      #expect(series.format == .psrecord)
      #expect(series.metric == .rss)
      #expect(series.samples.count == 25)
      // 11.36 MiB at the beginning, a megabyte more every tenth of a second.
      #expect(abs((series.samples.first?.bytes ?? 0) / 1_048_576 - 11.4) < 0.1)
      #expect(abs((series.samples.last?.elapsed ?? 0) - 2.4) < 0.2)
      #expect((series.samples.last?.bytes ?? 0) > 30e6)
    }
  }

  @Test func mprof() throws {
    let series = try SeriesFile.read(Fixture.path("recordings/mprof.dat"))
    #expect(series.format == .mprof)
    #expect(series.samples.count == 31)
    #expect(series.samples.first?.elapsed == 0)
    #expect(abs((series.samples.last?.elapsed ?? 0) - 3) < 0.3)
    #expect(series.samples.first?.bytes == 0.566406 * 1_048_576)
  }

  @Test func prmon() throws {
    let series = try SeriesFile.read(Fixture.path("recordings/prmon.txt"))
    #expect(series.format == .prmon)
    #expect(series.metric == .pss)
    #expect(series.samples.first == TrendSample(elapsed: 0, bytes: 243_800 * 1024))
    #expect(series.samples.last?.elapsed == 7200.0)
    let rss = try SeriesFile.read(Fixture.path("recordings/prmon.txt"), metric: .rss)
    #expect(rss.samples.first?.bytes == 256_000_000.0)
  }

  @Test(arguments: [
    ("0,100\n1,200\n", "the first column as seconds, the second as bytes", 100.0),
    ("0;100\r\n1;200\r\n", "the first column as seconds, the second as bytes", 100),
    ("0 100\n1 200\n", "the first column as seconds, the second as bytes", 100),
    ("time_s,rss_kb\n0,100\n1,200\n", "time_s as seconds, rss_kb as kB of 1024 bytes", 102_400),
    ("minutes\tMemory (MB)\n0\t1.5\n1\t2\n", "minutes as minutes, Memory (MB) as MB of 1024 x 1024 bytes", 1_572_864),
    ("\"t_ms\",\"bytes\"\n\"0\",\"7\"\n\"1000\",\"8\"\n", "t_ms as milliseconds, bytes as bytes", 7),
    ("\u{FEFF}elapsed_s,rss_anon_bytes\n0,5\n2,6\n", "elapsed_s as seconds, rss_anon_bytes as bytes", 5),
  ])
  func tablesOfTwoColumns(text: String, interpretation: String, first: Double) throws {
    let series = try read(text)
    #expect(series.format == .twoColumns)
    #expect(series.interpretation == interpretation)
    #expect(series.samples.count == 2)
    #expect(series.samples.first?.bytes == first)
  }

  @Test func timesOfTheDayCountFromTheFirst() throws {
    let series = try read("1796041000,5\n1796041030.5,6\n")
    #expect(series.samples.map(\.elapsed) == [0, 30.5])
  }

  @Test func aPidThatChangesIsADiscontinuity() throws {
    let series = try read("elapsed_s,pid,rss_bytes\n0,7,10\n1,7,11\n2,9,3\n3,9,4\n", metric: .rss)
    #expect(series.discontinuities == [2])
  }

  @Test func rowsThatAreNoneAreLeftOutAndCounted() throws {
    let series = try read("elapsed_s,bytes\n0,100\nNaN,5\n1,NaN\n2,inf\nhello\n3,-5\n4,\n\n5,600\n6,7")
    // The last row has no line feed: what wrote it was cut off, and so may be its figure.
    #expect(series.samples.map(\.bytes) == [100, 600])
    #expect(series.malformedRowCount == 6)
    #expect(series.firstMalformedLine == 3)
    #expect(series.emptyRowCount == 1)
  }

  @Test(arguments: ["", "\n\n", "hello world, this is a letter\n", "a,b,c\n1,2,3\n", "{\"json\": 1}\n", "5,abc\n"])
  func filesThatAreNoRecordings(text: String) {
    #expect(throws: SeriesFileError.self) { try read(text) }
  }

  @Test func whatIsQuotedOfAFileIsPlainText() {
    let error = #expect(throws: SeriesFileError.self) { try read("\u{1B}[31m\u{7}binary, with, commas\n") }
    #expect(error?.description.contains("it begins with '?[31m?binary, with, commas'") == true)
  }

  @Test func aFileThatIsNotThere() {
    let error = #expect(throws: SeriesFileError.self) { try SeriesFile.read("/nowhere.csv") }
    #expect(error?.description == "cannot read /nowhere.csv: No such file or directory")
    #expect(throws: SeriesFileError.self) { try SeriesFile.read("/") }
  }

  @Test func rowsLongerThanTheBufferAndManyRows() throws {
    let padding = String(repeating: " ", count: 3 << 20)
    let series = try read("elapsed_s,bytes\n0,\(padding)100\n1,200\n")
    #expect(series.samples.map(\.bytes) == [100, 200])
    let many = (0..<200_000).map { "\($0),\($0 * 4096)\n" }.joined()
    #expect(try read(many).samples.count == 200_000)
  }

  /// Seeded damage to every format: a series or an error, never a crash, and amounts that are amounts.
  @Test func damagedFilesNeverCrash() throws {
    var generator = SeededGenerator(seed: 42)
    for name in ["psrecord.txt", "psrecord.csv", "mprof.dat", "prmon.txt"] {
      let bytes = Array(try Fixture.bytes("recordings/" + name).prefix(1500))
      for _ in 0..<1500 {
        tree.write("series", generator.damaged(bytes))
        guard let series = try? SeriesFile.read(tree.path + "/series") else { continue }
        #expect(series.samples.allSatisfy { $0.bytes.isFinite && $0.bytes >= 0 && $0.elapsed.isFinite })
      }
    }
  }
}
