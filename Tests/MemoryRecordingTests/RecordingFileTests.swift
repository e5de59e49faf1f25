import FixtureSupport
import Foundation
import MemoryRecording
import ProcessMemory
import Testing

@Suite struct RecordingFileTests {
  private func reading() throws -> TargetReading {
    let root = ProcRoot(path: Fixture.path("proc/pages-64k/proc"), pageSize: 65_536)
    var target = try TargetSampler(processID: 1729, root: root)
    return try target.sample()
  }

  @Test func rowsAreAsDocumented() throws {
    let tree = TemporaryTree()
    let path = tree.path + "/run.csv"
    var file = try RecordingFile(creatingAt: path, overwriting: false)
    file.append(RecordedSample(elapsed: 0, unixTime: 1_796_000_000.0625, processID: 42, reading: try reading()))
    // The file is whole at every moment, and not only when it is closed.
    #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count == 2)
    file.append(RecordedSample(elapsed: 1.0004, unixTime: 1_796_000_001, processID: 42, reading: nil))
    var withoutPeak = try reading()
    withoutPeak.usage.peakResidentBytes = nil
    file.append(RecordedSample(elapsed: 2.9996, unixTime: 1_796_000_003, processID: 42, reading: withoutPeak))
    #expect(
      try String(contentsOfFile: path, encoding: .utf8) == """
        elapsed_s,unix_s,pid,rss_bytes,rss_anon_bytes,rss_file_bytes,rss_shmem_bytes,swap_bytes,peak_rss_bytes,\
        footprint_bytes,minflt,majflt,threads
        0.000,1796000000.063,42,71303168,53477376,16777216,1048576,2097152,72351744,56623104,1204,17,9
        1.000,1796000001.000,42,,,,,,,,,,
        3.000,1796000003.000,42,71303168,53477376,16777216,1048576,2097152,,56623104,1204,17,9

        """)
  }

  @Test func aFileThatIsThereIsNotReplacedUnasked() throws {
    let tree = TemporaryTree()
    tree.write("run.csv", "precious\n")
    let path = tree.path + "/run.csv"
    #expect(throws: RecordingFileError.exists(path: path)) {
      _ = try RecordingFile(creatingAt: path, overwriting: false)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious\n")
    _ = try RecordingFile(creatingAt: path, overwriting: true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == RecordingCSV().header)
  }

  @Test func whatCannotBeWrittenIsSaid() throws {
    let nowhere = #expect(throws: RecordingFileError.self) {
      _ = try RecordingFile(creatingAt: "/nowhere/at all/run.csv", overwriting: false)
    }
    #expect(nowhere?.description == "cannot create /nowhere/at all/run.csv: No such file or directory")
    let full = #expect(throws: RecordingFileError.self) {
      _ = try RecordingFile(creatingAt: "/dev/full", overwriting: false)
    }
    #expect(full?.description == "cannot write to /dev/full: No space left on device")
  }
}
