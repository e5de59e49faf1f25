#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The mappings of a process, in order of address: `/proc/PID/maps` (proc_pid_maps(5)).
///
/// The file is kept as it was read and checked once; a mapping is made when it is asked for, its name only when that is.
/// A map of 30 000 mappings so costs its text and nothing more. The kernel hands the file out in pieces, each true when
/// it is read: of a process that maps meanwhile, neighbours may be of different moments.
///
/// ```swift
/// for mapping in try MemoryMap.of(4242) where mapping.isExecutable { print(mapping.name) }
/// ```
public struct MemoryMap: Sequence, Sendable {
  private let text: [UInt8]
  /// How many mappings there are.
  public let count: Int

  /// The mappings of this process.
  public static func current() throws(ProcessMemoryError) -> MemoryMap {
    try of(ProcessIdentity.currentProcessID)
  }

  /// The mappings of a process. Guarded like ptrace: same user, or CAP_SYS_PTRACE.
  ///
  /// - Throws: ``ProcessMemoryError``. A process that has ended, and a kernel thread, have an empty map and no error.
  public static func of(_ processID: Int32, root: ProcRoot = .live) throws(ProcessMemoryError) -> MemoryMap {
    var buffer = ReadBuffer(capacity: 65_536)
    try readFile("maps", of: processID, root: root, into: &buffer)
    return try MemoryMap(text: Array(buffer.contents), path: root.file("maps", of: processID))
  }

  /// Checks the fixed fields of each line, so that going through the mappings cannot fail later.
  init(text: [UInt8], path: String) throws(ProcessMemoryError) {
    var count = 0
    var badLine: Int?
    text.withUnsafeBytes { bytes in
      var lines = LineScanner(bytes)
      while let line = lines.next() {
        guard MemoryMapping.Fields(line) != nil else {
          badLine = lines.lineNumber
          return
        }
        count += 1
      }
    }
    if let badLine {
      throw .malformedFile(
        path: path, line: badLine, problem: "a mapping was expected: start-end permissions offset device inode name")
    }
    self.text = text
    self.count = count
  }

  /// Goes through the mappings from the lowest address up.
  public func makeIterator() -> Iterator { Iterator(text: text) }

  /// The mapping that holds an address; `nil` where nothing is mapped. Linear in the number of mappings.
  public func mapping(containing address: UInt64) -> MemoryMapping? {
    first { $0.startAddress <= address && address < $0.endAddress }
  }

  /// One pass over the mappings.
  public struct Iterator: IteratorProtocol {
    private let text: [UInt8]
    private var position = 0

    fileprivate init(text: [UInt8]) { self.text = text }

    /// The mapping at the next address.
    public mutating func next() -> MemoryMapping? {
      guard position < text.count else { return nil }
      let end = text.place(of: 0x0A, from: position) ?? text.count
      defer { position = end + 1 }
      return MemoryMapping(line: text[position..<end])
    }
  }
}

/// A range of addresses that a process has mapped.
public struct MemoryMapping: Hashable, Sendable {
  /// The first address.
  public let startAddress: UInt64
  /// The address after the last.
  public let endAddress: UInt64
  /// May be read.
  public let isReadable: Bool
  /// May be written.
  public let isWritable: Bool
  /// May be executed.
  public let isExecutable: Bool
  /// Writes reach other processes that map the same (`s`), and are not private copies (`p`).
  public let isShared: Bool
  /// Where in the file the mapping begins, in bytes.
  public let fileOffset: UInt64
  /// The device of the file, major and minor; 0 and 0 for memory of no file.
  public let device: (major: UInt64, minor: UInt64)
  /// The file's number on its device; 0 for memory of no file.
  public let inode: UInt64
  private let rawName: ArraySlice<UInt8>

  /// Bytes of address space.
  public var byteCount: UInt64 { endAddress - startAddress }

  /// What is mapped: a path (blanks kept, a newline too, without the kernel's ` (deleted)`), a name in brackets such as
  /// `[heap]`, `[stack]`, `[vdso]`, `[anon:name]`, or an empty text for nameless memory.
  public var name: String {
    let name = String(decoding: Self.withoutNewlineEscapes(rawName), as: UTF8.self)
    return isPath ? FileName.splittingDeletedMark(name).name : name
  }

  /// Whether the mapped file has been deleted or replaced. (A file whose name really ends in ` (deleted)` cannot be told
  /// apart; the kernel's text is the same.)
  public var isDeleted: Bool {
    isPath && FileName.splittingDeletedMark(String(decoding: rawName, as: UTF8.self)).isDeleted
  }

  /// Whether a file is mapped (or a memory file, which has a path of its own making).
  public var isPath: Bool { rawName.first == UInt8(ascii: "/") }

  fileprivate init?(line: ArraySlice<UInt8>) {
    let fields = line.withUnsafeBytes { Fields($0) }
    guard let fields else { return nil }
    startAddress = fields.start
    endAddress = fields.end
    isReadable = fields.permissions.0 == UInt8(ascii: "r")
    isWritable = fields.permissions.1 == UInt8(ascii: "w")
    isExecutable = fields.permissions.2 == UInt8(ascii: "x")
    isShared = fields.permissions.3 == UInt8(ascii: "s")
    fileOffset = fields.offset
    device = (fields.major, fields.minor)
    inode = fields.inode
    rawName = line.suffix(fields.nameLength)
  }

  /// The kernel writes a newline in a name as `\012`, and only that, so that a mapping stays on one line.
  private static func withoutNewlineEscapes(_ name: ArraySlice<UInt8>) -> [UInt8] {
    guard name.withUnsafeBytes({ $0.place(of: 0x5C, from: 0) }) != nil else { return Array(name) }
    let escape: [UInt8] = [0x5C, 0x30, 0x31, 0x32]
    var plain: [UInt8] = []
    var index = name.startIndex
    while index < name.endIndex {
      if name[index...].starts(with: escape) {
        plain.append(0x0A)
        index += escape.count
      } else {
        plain.append(name[index])
        index += 1
      }
    }
    return plain
  }

  /// The columns of a line, read without allocation.
  struct Fields {
    var start: UInt64
    var end: UInt64
    var permissions: (UInt8, UInt8, UInt8, UInt8)
    var offset: UInt64
    var major: UInt64
    var minor: UInt64
    var inode: UInt64
    var nameLength: Int

    init?(_ line: UnsafeRawBufferPointer) {
      var scanner = ByteScanner(line)
      guard let start = scanner.takeHexadecimal(), scanner.take(UInt8(ascii: "-")), let end = scanner.takeHexadecimal(),
        start <= end, scanner.take(0x20)
      else { return nil }
      let permissions = scanner.take(upTo: 0x20)
      guard permissions.count == 4, let offset = scanner.takeHexadecimal(), scanner.take(0x20),
        let major = scanner.takeHexadecimal(), scanner.take(UInt8(ascii: ":")), let minor = scanner.takeHexadecimal(),
        let inode = scanner.takeDecimal()
      else { return nil }
      // The name starts after the padding; blanks inside and at the end are its own.
      scanner.skipBlanks()
      (self.start, self.end, self.offset) = (start, end, offset)
      (self.major, self.minor, self.inode) = (major, minor, inode)
      self.permissions = (permissions[0], permissions[1], permissions[2], permissions[3])
      nameLength = scanner.rest.count
    }
  }

  /// Whether two mappings are the same in every field.
  public static func == (left: MemoryMapping, right: MemoryMapping) -> Bool {
    left.startAddress == right.startAddress && left.endAddress == right.endAddress
      && left.isReadable == right.isReadable && left.isWritable == right.isWritable
      && left.isExecutable == right.isExecutable && left.isShared == right.isShared
      && left.fileOffset == right.fileOffset && left.device == right.device && left.inode == right.inode
      && left.rawName == right.rawName
  }

  /// Feeds the fields that tell mappings of one map apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(startAddress)
    hasher.combine(endAddress)
    hasher.combine(rawName)
  }
}

// A census of a program reads its map, and in a program that no optimizer has seen the library's searches make an object for
// each byte they look at.
extension UnsafeRawBufferPointer {
  fileprivate func place(of byte: UInt8, from offset: Int) -> Int? {
    guard let start = baseAddress, offset < count else { return nil }
    return memchr(start + offset, Int32(byte), count - offset).map { UnsafeRawPointer($0) - start }
  }
}

extension [UInt8] {
  fileprivate func place(of byte: UInt8, from offset: Int) -> Int? {
    withUnsafeBytes { $0.place(of: byte, from: offset) }
  }
}
