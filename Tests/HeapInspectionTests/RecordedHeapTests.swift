import FixtureSupport
import Foundation
import HeapInspection
import ProcessMemory
import Testing

/// Heaps that were recorded, and what becomes of them when they are damaged.
///
/// `Tests/Fixtures/heap/glibc-2.36` was recorded from the program `HeapTruth`: what a census touched of its memory, its map,
/// and what the program said. On a system with another glibc, `RECORD_HEAP=1 swift test --filter RecordedHeapTests` records
/// one more, named for the version there; all that are there are tested.
@Suite struct RecordedHeapTests {
  private static let folder = Fixture.path("heap")
  private static let processID: Int32 = 4242

  static var recordings: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasPrefix("glibc-") }.sorted()
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["RECORD_HEAP"] == "1"))
  func record() throws {
    let program = try Build.strippedStatic.start()
    let recorder = RecordingMemoryReader(try ProcessMemoryReader(program.child.processID))
    let inspector = HeapInspector(program.child.processID, memory: recorder, root: .live)
    _ = try inspector.snapshot()
    // "ldd (Debian GLIBC 2.36-9) 2.36", and the like elsewhere.
    let banner = try ChildProcess.run(["ldd", "--version"]).output.split(separator: "\n").first ?? ""
    let version = banner.split(separator: " ").last ?? "unknown"
    let place = Self.folder + "/glibc-\(version)"
    try FileManager.default.createDirectory(atPath: "\(place)/\(Self.processID)", withIntermediateDirectories: true)
    let map = try String(contentsOfFile: "/proc/\(program.child.processID)/maps", encoding: .utf8)
    // The map names the folders of whoever recorded, which are nobody's business.
    let shortened = map.replacing(/\/\S*\/HeapTruth$/.anchorsMatchLineEndings(), with: "/program/HeapTruth")
    try shortened.write(toFile: "\(place)/\(Self.processID)/maps", atomically: true, encoding: .utf8)
    let memory = Self.withoutPaths(recorder.recording)
    try Data(memory.fileContents).write(to: URL(fileURLWithPath: "\(place)/memory"))
    try JSONEncoder().encode(program.counts).write(to: URL(fileURLWithPath: "\(place)/counts.json"))
  }

  /// The folder of whoever recorded stands in the memory too, in the program's path: each such text becomes a row of x.
  private static func withoutPaths(_ memory: RecordedMemory) -> RecordedMemory {
    let mark = Array("/fixture-programs/".utf8)
    return RecordedMemory(
      memory.parts.map { part in
        var part = part
        for place in part.bytes.indices where part.bytes[place...].starts(with: mark) {
          let start = part.bytes[..<place].lastIndex { $0 < 0x20 || $0 > 0x7E }.map { $0 + 1 } ?? 0
          let end = part.bytes[place...].firstIndex { $0 < 0x20 || $0 > 0x7E } ?? part.bytes.count
          for index in start..<end { part.bytes[index] = UInt8(ascii: "x") }
        }
        return part
      })
  }

  private func recording(_ name: String) throws -> (RecordedMemory, ProcRoot, [String: Int]) {
    let bytes = try Fixture.bytes("heap/\(name)/memory")
    let counts = try JSONDecoder().decode([String: Int].self, from: Data(Fixture.bytes("heap/\(name)/counts.json")))
    return (
      try RecordedMemory(fileContents: bytes, path: name), ProcRoot(path: "\(Self.folder)/\(name)"), counts
    )
  }

  @Test(arguments: recordings)
  func theCountsAreThoseOfTheProgram(name: String) throws {
    let (memory, root, counts) = try recording(name)
    let census = try HeapInspector(Self.processID, memory: memory, root: root).snapshot().census
    #expect(counts.count > 20)
    for (type, count) in counts { #expect(Int(census[type]?.instances ?? 0) == count, "\(type)") }
  }

  /// The bookkeeping of an arena has words that look like the size of a block, and these may lead to a real one.
  @Test(arguments: recordings)
  func theBookkeepingOfAnArenaIsNotTakenForABlock(name: String) throws {
    let (memory, root, counts) = try recording(name)
    let whole = try HeapInspector(Self.processID, memory: memory, root: root).snapshot().census
    var changes = 0
    for (index, part) in memory.parts.enumerated() where part.address % (64 << 20) == 0 && part.bytes.count >= 4096 {
      func word(_ offset: Int) -> Int {
        part.bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      // The first heap of an arena has its bookkeeping; what follows it is the first block, of a thread's cache.
      let state = word(0) - Int(part.address)
      guard (1...128).contains(state) else { continue }
      let first = try #require(stride(from: state, to: 4080, by: 16).first { word($0 + 8) | 5 == 0x295 })
      // Of the bits of lists that are not empty, the second half: 48 bytes before the end of the bookkeeping, which is padded.
      let bits = (first - 48 - 8) / 16 * 16 + 8
      var chunk = first
      for _ in 0..<3 {
        chunk += word(chunk + 8) & ~7
        guard chunk < 4080 else { break }
        var changed = memory.parts
        let size = chunk - (bits - 8)
        for byte in 0..<8 { changed[index].bytes[bits + byte] = UInt8(truncatingIfNeeded: size >> (8 * byte)) }
        let census = try HeapInspector(Self.processID, memory: RecordedMemory(changed), root: root).snapshot().census
        #expect(census.totals == whole.totals)
        for (type, count) in counts { #expect(Int(census[type]?.instances ?? 0) == count, "\(type)") }
        changes += 1
      }
    }
    #expect(changes > 0)
  }

  /// Blocks with a mapping of their own may fill the hole between two libraries, and then there is one mapping behind the first.
  @Test(arguments: recordings)
  func blocksRightBehindAnImageAreFound(name: String) throws {
    let (memory, root, counts) = try recording(name)
    let folder = TemporaryTree()
    var lines = try String(contentsOfFile: root.path + "/\(Self.processID)/maps", encoding: .utf8)
      .split(separator: "\n").map(String.init)
    let arrays = "Swift._ContiguousArrayStorage<Swift.Double>"
    // Each anonymous mapping that has another one in front of it: one of them has the arrays.
    let places = lines.indices.dropFirst().filter { index in
      let (before, here) = (lines[index - 1].split(separator: " "), lines[index].split(separator: " "))
      return before.count == 5 && here.count == 5
        && before[0].split(separator: "-")[1] == here[0].split(separator: "-")[0]
        && before[1] == "rw-p" && here[1] == "rw-p"
    }
    try #require(!places.isEmpty)
    for place in places { lines[place - 1] += "/usr/lib/libbefore.so" }
    folder.write("\(Self.processID)/maps", lines.joined(separator: "\n") + "\n")
    let census = try HeapInspector(Self.processID, memory: memory, root: ProcRoot(path: folder.path)).snapshot().census
    #expect(Int(census[arrays]?.instances ?? 0) == counts[arrays])
  }

  /// A runtime that lays out its types in another way: all descriptors say that they describe something else.
  @Test(arguments: recordings)
  func aRuntimeOfAnotherLayoutIsRefused(name: String) throws {
    let (memory, root, _) = try recording(name)
    let folder = TemporaryTree()
    let map = try String(contentsOfFile: root.path + "/\(Self.processID)/maps", encoding: .utf8)
    folder.write("\(Self.processID)/maps", map.replacing("/program/HeapTruth", with: "/usr/lib/libswiftCore.so"))
    let changed = RecordedMemory(
      memory.parts.map { part in
        var part = part
        // Kind 16 with the flag that it is unique, as all descriptors of classes have it.
        for place in stride(from: 0, to: part.bytes.count, by: 4)
        where part.bytes[place] & 0x5F == 0x50 && part.bytes[place + 1] == 0 { part.bytes[place] ^= 0x0F }
        return part
      })
    let inspector = HeapInspector(Self.processID, memory: changed, root: ProcRoot(path: folder.path))
    do throws(HeapInspectionError) {
      let census = try inspector.snapshot().census
      Issue.record("\(census.types.prefix(5))")
    } catch {
      guard case .unknownRuntime(Self.processID, let problem) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(problem.contains("libswiftCore.so"))
      #expect(error.description.contains("there are none"))
    }
  }

  /// A heap in which anything may stand is walked to its end, without a fault, and never found to be larger than it is.
  @Test(arguments: recordings)
  func damagedHeapsAreWalkedAllTheSame(name: String) throws {
    let (memory, root, _) = try recording(name)
    var generator = SeededGenerator(seed: 7)
    let whole = try HeapInspector(Self.processID, memory: memory, root: root).snapshot().census
    var losses = 0
    for round in 0..<150 {
      let damaged = RecordedMemory(memory.parts.map { Self.damage($0, round, &generator) })
      let census = try HeapInspector(Self.processID, memory: damaged, root: root).snapshot().census
      #expect(census.coverage <= 1)
      #expect(census.totals.liveBytes <= whole.totals.mappedBytes * 4)
      if census.coverage < 1 || census.totals.resynchronizations > 0 { losses += 1 }
    }
    // The damage is felt, and said.
    #expect(losses > 20)
  }

  /// Words replaced: by noise, by small numbers, by addresses of the same memory, by themselves moved along.
  private static func damage(
    _ part: RecordedMemory.Part, _ round: Int, _ generator: inout SeededGenerator
  ) -> RecordedMemory.Part {
    var part = part
    let changes = [0, 0, 1, 3, 20][round % 5]
    for _ in 0..<changes where part.bytes.count >= 16 {
      let place = Int.random(in: 0..<(part.bytes.count / 8), using: &generator) * 8
      let word: UInt64 =
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: generator.next()
        case 1: UInt64.random(in: 0...4096, using: &generator)
        case 2: part.address &+ UInt64.random(in: 0..<4096, using: &generator)
        case 3: 0
        default: UInt64.max &- UInt64.random(in: 0..<64, using: &generator)
        }
      withUnsafeBytes(of: word) { bytes in
        for index in 0..<8 { part.bytes[place + index] = bytes[index] }
      }
    }
    // Whole pages that are gone.
    if round % 7 == 0, Int.random(in: 0..<10, using: &generator) == 0 { part.bytes.removeAll() }
    return part
  }
}
