import CLinux

/// The images that are loaded into a process, in order of address, read from its mappings and from the ELF headers in its
/// memory. No file is opened, so deleted files and other mount namespaces make no difference.
///
/// ```swift
/// let images = try ImageMap.of(4242)
/// images.image(containing: address)?.name
/// ```
public struct ImageMap: Sendable {
  /// The images, from the lowest address up.
  public let images: [LoadedImage]

  /// The images of a process. Some 3 µs an image.
  ///
  /// - Throws: ``ProcessMemoryError``. Guarded like ptrace.
  public static func of(_ processID: Int32, root: ProcRoot = .live) throws(ProcessMemoryError) -> ImageMap {
    let map = try MemoryMap.of(processID, root: root)
    return ImageMap(map, memory: try ProcessMemoryReader(processID))
  }

  /// The images of this process.
  public static func current() throws(ProcessMemoryError) -> ImageMap {
    try of(ProcessIdentity.currentProcessID)
  }

  /// The images among mappings.
  ///
  /// - Parameters:
  ///   - map: the mappings of an address space.
  ///   - memory: reads that address space.
  public init(_ map: MemoryMap, memory: some MemoryReader) {
    var found: [LoadedImage] = []
    let code = map.filter(\.isExecutable)
    for mapping in map where Self.mayBegin(mapping) {
      // A file mapped as data looks the same, but none of its pages may be executed.
      guard found.last.map({ mapping.startAddress >= $0.endAddress }) ?? true,
        let image = LoadedImage(mapping, memory: memory),
        code.contains(where: { image.contains($0.startAddress) && $0.endAddress <= image.alignedEnd })
      else { continue }
      found.append(image)
    }
    images = found
  }

  /// The image that covers an address; `nil` outside of all. Some 20 ns.
  public func image(containing address: UInt64) -> LoadedImage? { index(containing: address).map { images[$0] } }

  /// The place in ``images`` of the image that covers an address.
  public func index(containing address: UInt64) -> Int? {
    var low = 0
    var high = images.count
    while low < high {
      let middle = (low + high) / 2
      if images[middle].startAddress <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 && images[low - 1].contains(address) ? low - 1 : nil
  }

  private static func mayBegin(_ mapping: MemoryMapping) -> Bool {
    guard mapping.isReadable else { return false }
    return mapping.isPath ? mapping.fileOffset == 0 : mapping.isExecutable && mapping.name == "[vdso]"
  }
}

extension LoadedImage {
  /// The end, rounded up to what any page size of Linux maps.
  fileprivate var alignedEnd: UInt64 { (endAddress &+ 0xFFFF) & ~0xFFFF }

  /// The image whose ELF header is at the start of a mapping; `nil` where there is none.
  fileprivate init?(_ mapping: MemoryMapping, memory: some MemoryReader) {
    // The headers of nearly every image, and its notes, are on the first page.
    let start = mapping.startAddress
    let page = memory.bytes(start, count: Int(clamping: min(mapping.byteCount, 4096)))
    guard let header = ElfBuildID.Header(page) else { return nil }
    let count = min(header.count, ElfBuildID.maximumHeaderCount)
    let table = Self.bytes(start, header.offset, count * header.entrySize, page, memory)
    let segments = (0..<count).compactMap { header.segment(in: table, at: $0 * header.entrySize) }
    let loads = segments.filter { $0.type == UInt32(PT_LOAD) && $0.memorySize > 0 }
    guard let first = loads.first(where: { $0.offset == 0 }) ?? loads.first else { return nil }
    let bias = start &- (first.address &- first.offset)
    var end = start
    for load in loads {
      let (loadEnd, overflow) = (load.address &+ bias).addingReportingOverflow(load.memorySize)
      if !overflow { end = max(end, loadEnd) }
    }
    guard end > start else { return nil }
    var buildID: String?
    for note in segments where note.type == UInt32(PT_NOTE) && buildID == nil {
      let size = Int(clamping: min(note.fileSize, ElfBuildID.maximumNoteBytes))
      let bytes = Self.bytes(start, (note.address &+ bias) &- start, size, page, memory)
      buildID = ElfBuildID.buildID(inNotes: bytes, alignment: note.noteAlignment)
    }
    let path = mapping.name
    self.init(
      path: path, name: path.split(separator: "/").last.map(String.init) ?? path, isDeleted: mapping.isDeleted,
      startAddress: start, endAddress: end, loadBias: bias,
      buildID: buildID,
      unwindTableAddress: segments.first { $0.type == UInt32(PT_GNU_EH_FRAME) }.map { $0.address &+ bias },
      firstMappingEnd: mapping.endAddress, inode: mapping.inode)
  }

  /// Bytes at an offset from the start, out of the page that has been read where they are on it.
  private static func bytes(
    _ start: UInt64, _ offset: UInt64, _ count: Int, _ page: [UInt8], _ memory: some MemoryReader
  ) -> [UInt8] {
    if offset <= UInt64(page.count), UInt64(count) <= UInt64(page.count) - offset {
      return Array(page[Int(offset)..<Int(offset) + count])
    }
    return memory.bytes(start &+ offset, count: count)
  }
}
