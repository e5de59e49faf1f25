import FixtureSupport
import ProcessMemory
import Testing

@Suite struct MemoryMapTests {
  private func map(_ lines: String...) throws -> [MemoryMapping] {
    let tree = TemporaryTree()
    tree.write("proc/7/maps", lines.map { $0 + "\n" }.joined())
    return Array(try MemoryMap.of(7, root: ProcRoot(path: tree.path + "/proc")))
  }

  @Test func namesKeepTheirBlanks() throws {
    let map = try MemoryMap.of(Recorded.processID, root: Recorded.root("odd-name"))
    let first = try #require(map.first { _ in true })
    #expect(first.name == "/srv/app/sleep (2) .sh")
    #expect(first.isReadable && !first.isWritable && !first.isExecutable && !first.isShared)
    #expect(first.device == (0xFE, 0))
    #expect(first.inode == 16_220_479)
    #expect(first.byteCount == 0x2000)
    #expect(map.contains { $0.name == "[heap]" })
    #expect(map.contains { $0.name == "[vdso]" && !$0.isPath })
    #expect(map.contains { $0.name.isEmpty })
    #expect(Array(map).count == map.count)
  }

  @Test func deletedFilesAndOddNames() throws {
    let found = try map(
      "7f0000000000-7f0000001000 r-xp 00000000 fe:00 12                         /srv/a b/shop (deleted)",
      "7f0000001000-7f0000002000 rw-s 00003000 00:05 99                         /memfd:pool (1) (deleted)",
      "7f0000002000-7f0000003000 r--p 00000000 fe:00 13                         /srv/two\\012lines",
      "7f0000003000-7f0000004000 rw-p 00000000 00:00 0                          [anon:Swift heap]",
      "7f0000004000-7f0000005000 rw-p 00000000 00:00 0 ",
      "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]")
    #expect(found[0].name == "/srv/a b/shop" && found[0].isDeleted && found[0].isExecutable)
    #expect(found[1].name == "/memfd:pool (1)" && found[1].isDeleted && found[1].isShared)
    #expect(found[1].fileOffset == 0x3000)
    #expect(found[2].name == "/srv/two\nlines" && !found[2].isDeleted)
    #expect(found[3].name == "[anon:Swift heap]" && !found[3].isPath)
    #expect(found[4].name.isEmpty)
    #expect(found[5].endAddress == 0xFFFF_FFFF_FF60_1000)
  }

  @Test func aMalformedLineIsNamed() throws {
    let error = #expect(throws: ProcessMemoryError.self) {
      try map("7f0000000000-7f0000001000 r-xp 00000000 fe:00 12 /a", "7f0000001000 r-xp 00000000 fe:00 12 /a")
    }
    #expect(error?.description.contains("line 2") == true)
    #expect(throws: ProcessMemoryError.self) { try map("2000-1000 r-xp 00000000 fe:00 12 /a") }
    #expect(throws: ProcessMemoryError.self) { try map("1000-2000 r-x 00000000 fe:00 12 /a") }
  }

  @Test func anEmptyMapIsNoError() throws {
    #expect(try MemoryMap.of(Recorded.processID, root: Recorded.root("zombie")).count == 0)
  }

  @Test func addressesOfThisProcess() throws {
    let map = try MemoryMap.current()
    var onStack = 0
    let address = withUnsafePointer(to: &onStack) { UInt64(UInt(bitPattern: $0)) }
    let mapping = try #require(map.mapping(containing: address))
    #expect(mapping.isWritable)
    #expect(map.mapping(containing: 0) == nil)
  }
}
