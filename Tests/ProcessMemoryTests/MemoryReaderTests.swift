import FixtureSupport
import Foundation
import ProcessMemory
import Testing

@Suite struct MemoryReaderTests {
  /// Three pages, the last of which may not be read.
  private final class Pages {
    let start: UnsafeMutableRawPointer
    var address: UInt64 { UInt64(UInt(bitPattern: start)) }

    init() throws {
      let pages = mmap(nil, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      start = try #require(pages == MAP_FAILED ? nil : pages)
      mprotect(start + 8192, 4096, PROT_NONE)
    }

    deinit { munmap(start, 3 * 4096) }
  }

  @Test func ownMemoryIsReadAsItIs() throws {
    let reader = try ProcessMemoryReader.current()
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let copy = bytes.withUnsafeBytes {
      reader.bytes(UInt64(UInt(bitPattern: $0.baseAddress)), count: $0.count)
    }
    #expect(copy == bytes)
  }

  @Test func aReadStopsWhereTheMemoryDoes() throws {
    let reader = try ProcessMemoryReader.current()
    let pages = try Pages()
    (pages.start + 8191).storeBytes(of: 0xAB, as: UInt8.self)
    #expect(reader.bytes(pages.address + 8000, count: 5000).count == 192)
    #expect(reader.bytes(pages.address + 8000, count: 5000).last == 0xAB)
    #expect(reader.bytes(pages.address + 8192, count: 10).isEmpty)
    #expect(reader.load(pages.address + 8188, as: UInt64.self) == nil)
    #expect(reader.load(pages.address + 8184, as: UInt64.self) == 0xAB << 56)
  }

  @Test(arguments: [0, 1, 4095, UInt64.max, UInt64.max - 7, 1 << 63, 0xFFFF_8000_0000_0000])
  func whereNothingIsNothingIsRead(address: UInt64) throws {
    let reader = try ProcessMemoryReader.current()
    #expect(reader.bytes(address, count: 64).isEmpty)
    #expect(reader.load(address, as: UInt64.self) == nil)
    #expect(reader.bytesUpToZero(address, limit: 100) == nil)
  }

  @Test func textEndsAtItsZero() throws {
    let reader = try ProcessMemoryReader.current()
    let pages = try Pages()
    for (index, byte) in Array("hello".utf8).enumerated() {
      (pages.start + 8186 + index).storeBytes(of: byte, as: UInt8.self)
    }
    #expect(reader.bytesUpToZero(pages.address + 8186, limit: 100) == Array("hello".utf8))
    (pages.start + 8191).storeBytes(of: 0x21, as: UInt8.self)
    // Without a zero before the end of what can be read, it is no text.
    #expect(reader.bytesUpToZero(pages.address + 8186, limit: 100) == nil)
    #expect(reader.bytesUpToZero(pages.address + 8186, limit: 3) == nil)
  }

  @Test func anotherProcessIsReadToo() throws {
    let child = try ChildProcess(["sleep", "60"])
    #expect(child.waitUntilQuiet())
    let reader = try ProcessMemoryReader(child.processID)
    let program = try #require(try MemoryMap.of(child.processID).first { $0.isPath })
    #expect(reader.bytes(program.startAddress, count: 4) == [0x7F, 0x45, 0x4C, 0x46])
  }

  @Test func whatHasNoMemoryIsSaid() throws {
    #expect(throws: ProcessMemoryError.noSuchProcess(processID: 2_000_000_000)) {
      try ProcessMemoryReader(2_000_000_000)
    }
    let child = try ChildProcess(["true"])
    var information = siginfo_t()
    // Ended and not yet reaped.
    waitid(P_PID, id_t(child.processID), &information, WEXITED | WNOWAIT)
    #expect(throws: ProcessMemoryError.processEnded(processID: child.processID)) {
      try ProcessMemoryReader(child.processID)
    }
  }

  @Test func onlyPagesThatWereTouchedAreNamed() throws {
    let reader = try ProcessMemoryReader.current()
    let count = 2000
    let pages = try #require(
      mmap(nil, count * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))
    defer { munmap(pages, count * 4096) }
    madvise(pages, count * 4096, MADV_NOHUGEPAGE)
    let start = UInt64(UInt(bitPattern: pages))
    let end = start + UInt64(count * 4096)
    #expect(reader.populatedPages(in: start..<end) == nil)
    for page in [3, 4, 5, 700, 1999] { (pages + page * 4096).storeBytes(of: 1, as: UInt8.self) }
    var found: [Range<UInt64>] = []
    var place = start
    while let range = reader.populatedPages(in: place..<end) {
      found.append((range.lowerBound - start) / 4096..<(range.upperBound - start) / 4096)
      place = range.upperBound
    }
    #expect(found == [3..<6, 700..<701, 1999..<2000])
    #expect(reader.populatedPages(in: start + 3 * 4096 + 100..<start + 3 * 4096 + 200).map { $0.count } == 100)
    #expect(reader.populatedPages(in: start..<start) == nil)
  }
}

@Suite struct RecordedMemoryTests {
  private let memory = RecordedMemory([
    RecordedMemory.Part(address: 0x2000, bytes: Array(repeating: 2, count: 0x1000)),
    RecordedMemory.Part(address: 0x1000, bytes: Array(repeating: 1, count: 0x1000)),
    RecordedMemory.Part(address: 0x1800, bytes: Array(repeating: 9, count: 0x10)),
    RecordedMemory.Part(address: 0x9000, bytes: Array(repeating: 0, count: 0x1000)),
    RecordedMemory.Part(address: UInt64.max - 3, bytes: Array(repeating: 7, count: 100)),
  ])

  @Test func neighboursAreReadAcross() {
    #expect(memory.bytes(0x1FFE, count: 4) == [1, 1, 2, 2])
    #expect(memory.bytes(0x2FFE, count: 4) == [2, 2])
    #expect(memory.bytes(0x3000, count: 4).isEmpty)
    #expect(memory.bytes(0x0FFF, count: 4).isEmpty)
    #expect(memory.parts.count == 3)
  }

  @Test func aFileOfItIsReadBack() throws {
    let contents = memory.fileContents
    #expect(try RecordedMemory(fileContents: contents, path: "a") == memory)
    // Zeros take no room.
    #expect(contents.count < 0x2100)
  }

  @Test func damagedFilesAreErrors() {
    var generator = SeededGenerator(seed: 11)
    let contents = memory.fileContents
    var failures = 0
    for _ in 0..<2000 {
      do throws(ProcessMemoryError) {
        _ = try RecordedMemory(fileContents: generator.damaged(contents), path: "a").bytes(0x1000, count: 100)
      } catch {
        failures += 1
      }
    }
    #expect(failures > 500)
  }

  @Test func aRecorderKeepsWhatWasTouched() throws {
    let recorder = RecordingMemoryReader(memory)
    _ = recorder.load(0x1FFC, as: UInt64.self)
    #expect(recorder.recording.parts.map(\.address) == [0x1000, 0x2000])
    #expect(recorder.recording.bytes(0x1FFE, count: 4) == [1, 1, 2, 2])
    _ = recorder.load(0x5000, as: UInt64.self)
    #expect(recorder.recording.parts.count == 2)
  }
}
