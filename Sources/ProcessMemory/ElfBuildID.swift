import CLinux

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The build-id of an ELF file: the bytes of its `NT_GNU_BUILD_ID` note, found through the `PT_NOTE` program headers
/// (System V ABI, chapter 5; the note's form is in `elf.h`).
///
/// This is the one thing of ELF that this module reads, some twenty bytes at the front of a file; symbols and lines are
/// elfutils' business. Doing it here keeps leak-trend a single file that starts on a machine without elfutils.
enum ElfBuildID {
  /// Headers and notes larger than any real one are not read: the file may be anything.
  static let maximumHeaderCount = 1024
  static let maximumNoteBytes: UInt64 = 65_536

  /// Lower-case hexadecimal digits, or `nil` where the file cannot be read, is no ELF file of this machine's byte order,
  /// or has no build-id.
  static func read(fromFileAt path: String) -> String? {
    guard let file = try? KernelFile(path: path), let start = try? file.read(count: 64, at: 0),
      let header = Header(start)
    else { return nil }
    guard
      let table = try? file.read(count: header.entrySize * min(header.count, maximumHeaderCount), at: header.offset)
    else { return nil }
    for index in 0..<min(header.count, maximumHeaderCount) {
      guard let segment = header.segment(in: table, at: index * header.entrySize), segment.type == UInt32(PT_NOTE),
        let notes = try? file.read(count: Int(clamping: min(segment.fileSize, maximumNoteBytes)), at: segment.offset)
      else { continue }
      if let found = buildID(inNotes: notes, alignment: segment.noteAlignment) { return found }
    }
    return nil
  }

  /// Where the program headers are, in the words of this file's class.
  struct Header {
    let is64Bit: Bool
    let offset: UInt64
    let entrySize: Int
    let count: Int

    init?(_ bytes: [UInt8]) {
      let order = UInt16(littleEndian: 1) == 1 ? UInt8(ELFDATA2LSB) : UInt8(ELFDATA2MSB)
      guard bytes.count >= 52, bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]), bytes[5] == order else { return nil }
      is64Bit = bytes[4] == UInt8(ELFCLASS64)
      guard is64Bit || bytes[4] == UInt8(ELFCLASS32) else { return nil }
      // e_phoff, e_phentsize, e_phnum of Elf64_Ehdr and Elf32_Ehdr.
      let offset = is64Bit ? bytes.word64(at: 32) : bytes.word32(at: 28).map(UInt64.init)
      guard let offset, let size = bytes.word16(at: is64Bit ? 54 : 42), let count = bytes.word16(at: is64Bit ? 56 : 44),
        size >= (is64Bit ? 56 : 32)
      else { return nil }
      self.offset = offset
      entrySize = Int(size)
      self.count = Int(count)
    }

    /// The program header at an offset of the table.
    func segment(in table: [UInt8], at start: Int) -> Segment? {
      guard let type = table.word32(at: start) else { return nil }
      // Elf64_Phdr and Elf32_Phdr.
      func field(_ offset64: Int, _ offset32: Int) -> UInt64? {
        is64Bit ? table.word64(at: start + offset64) : table.word32(at: start + offset32).map(UInt64.init)
      }
      guard let offset = field(8, 4), let address = field(16, 8), let fileSize = field(32, 16),
        let memorySize = field(40, 20), let alignment = field(48, 28)
      else { return nil }
      return Segment(
        type: type, offset: offset, address: address, fileSize: fileSize, memorySize: memorySize,
        noteAlignment: alignment == 8 ? 8 : 4)
    }
  }

  /// What is used of a program header.
  struct Segment {
    var type: UInt32
    var offset: UInt64
    var address: UInt64
    var fileSize: UInt64
    var memorySize: UInt64
    /// What notes within it are aligned to.
    var noteAlignment: Int
  }

  static func buildID(inNotes notes: [UInt8], alignment: Int) -> String? {
    var position = 0
    while let nameSize = notes.word32(at: position), let size = notes.word32(at: position + 4),
      let type = notes.word32(at: position + 8)
    {
      let nameStart = position + 12
      let start = (nameStart + Int(nameSize) + alignment - 1) / alignment * alignment
      let end = start + Int(size)
      guard end <= notes.count else { return nil }
      if type == UInt32(NT_GNU_BUILD_ID), size > 0, notes[nameStart..<start].starts(with: [0x47, 0x4E, 0x55, 0]) {
        return notes[start..<end].map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
      }
      position = (end + alignment - 1) / alignment * alignment
    }
    return nil
  }
}

extension [UInt8] {
  fileprivate func word16(at offset: Int) -> UInt16? { word(at: offset) }
  fileprivate func word32(at offset: Int) -> UInt32? { word(at: offset) }
  fileprivate func word64(at offset: Int) -> UInt64? { word(at: offset) }

  private func word<Word: FixedWidthInteger>(at offset: Int) -> Word? {
    guard offset >= 0, offset <= count - MemoryLayout<Word>.size else { return nil }
    return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Word.self) }
  }
}
