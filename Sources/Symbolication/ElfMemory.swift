// The memory that a file becomes when it is loaded, without loading it.

import CElfutils

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The bytes of an ELF file's loadable segments, at the addresses that the file counts, with the pointers that its relocations
/// would put there: a position-independent file has them in no other place.
///
/// A pointer to what another file defines cannot be known. It leads to an address of its own, at which nothing can be read
/// and of which ``importedSymbol(at:)`` tells the name.
///
/// Sources: System V ABI, chapters 4 and 5 (segments, relocation, `DT_RELR`), and its supplements for x86-64 and AArch64.
public struct ElfMemory: Sendable {
  /// A part of a segment that is in the file, and how many zeros come behind it.
  struct Part: Sendable {
    var address: UInt64
    var bytes: [UInt8]
    var zeroCount: UInt64

    var end: UInt64 { address &+ UInt64(bytes.count) &+ zeroCount }
  }

  private(set) var parts: [Part] = []
  /// Names of what other files define, in the order of the addresses made up for them.
  private(set) var imports: [String] = []
  /// Data of other files that the loader copies into this one's memory: by the address it is copied to.
  private(set) var copies: [UInt64: String] = [:]

  /// Far from what any machine maps for a program.
  private static let firstImport: UInt64 = 0xFFFF_F000_0000_0000
  private static let importSpacing: UInt64 = 16
  /// More headers than any real file has are not read.
  private static let maximumSegmentCount = 1024

  /// The memory of a file.
  ///
  /// - Throws: ``SymbolError``.
  public init(ofFileAt path: String) throws(SymbolError) {
    let handle = try ElfHandle(path: path)
    try ElfImage.checkForm(handle)
    self.init(handle, skippingCode: false)
  }

  init(_ handle: ElfHandle, skippingCode: Bool) {
    readSegments(handle, without: skippingCode ? Self.codeRanges(handle) : [])
    ElfRelocations(handle).apply(to: &self)
  }

  // MARK: - Reading

  /// Copies the bytes from `address` on; stops short where the file has none. Logarithmic in the number of segments.
  public func read(_ address: UInt64, into destination: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < destination.count {
      let (next, overflow) = address.addingReportingOverflow(UInt64(done))
      guard !overflow, let index = part(containing: next) else { break }
      let target = UnsafeMutableRawBufferPointer(rebasing: destination[done...])
      done += parts[index].copy(from: next, into: target)
    }
    return done
  }

  /// The symbol that a pointer refers to, where another file defines it: `$ss5ErrorMp`.
  public func importedSymbol(at address: UInt64) -> String? {
    if address >= Self.firstImport {
      return Int(exactly: (address - Self.firstImport) / Self.importSpacing)
        .flatMap { $0 < imports.count ? imports[$0] : nil }
    }
    return copies.isEmpty ? nil : copies[address]
  }

  private func part(containing address: UInt64) -> Int? {
    var low = 0
    var high = parts.count
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    return low > 0 && address < parts[low - 1].end ? low - 1 : nil
  }

  // MARK: - Relocation

  mutating func store(_ word: UInt64, at address: UInt64) {
    guard let index = part(containing: address) else { return }
    let offset = Int(clamping: address - parts[index].address)
    guard offset <= parts[index].bytes.count - 8 else { return }
    parts[index].bytes.withUnsafeMutableBytes { $0.storeBytes(of: word, toByteOffset: offset, as: UInt64.self) }
  }

  func word(at address: UInt64) -> UInt64? {
    var word: UInt64 = 0
    return withUnsafeMutableBytes(of: &word) { read(address, into: $0) } == 8 ? word : nil
  }

  /// The address made up for a name.
  mutating func importAddress(of name: String) -> UInt64 {
    imports.append(name)
    return Self.firstImport + UInt64(imports.count - 1) * Self.importSpacing
  }

  mutating func noteCopy(of name: String, to address: UInt64) { copies[address] = name }

  // MARK: - Segments

  private mutating func readSegments(_ handle: ElfHandle, without code: [Range<UInt64>]) {
    var count = 0
    guard ce_elf_getphdrnum(handle.elf, &count) == 0 else { return }
    // Headers that all lead to the same bytes must not add up to more than the file could.
    var allowance = handle.byteCount
    for index in 0..<min(count, Self.maximumSegmentCount) {
      var header = Elf64_Phdr()
      // PT_LOAD
      guard ce_gelf_getphdr(handle.elf, Int32(index), &header) == 0, header.p_type == 1 else { continue }
      let (end, overflow) = header.p_vaddr.addingReportingOverflow(max(header.p_memsz, header.p_filesz))
      guard !overflow, end < Self.firstImport else { continue }
      let fileEnd = header.p_vaddr + min(header.p_filesz, header.p_memsz)
      for range in Self.pieces(header.p_vaddr..<fileEnd, without: code) {
        guard
          let bytes = handle.bytes(at: header.p_offset &+ (range.lowerBound - header.p_vaddr), range.count, &allowance)
        else { continue }
        parts.append(Part(address: range.lowerBound, bytes: bytes, zeroCount: 0))
      }
      if end > fileEnd { parts.append(Part(address: fileEnd, bytes: [], zeroCount: end - fileEnd)) }
    }
    parts.sort { $0.address < $1.address }
    var kept: [Part] = []
    for part in parts where part.end > part.address && part.address >= kept.last?.end ?? 0 { kept.append(part) }
    parts = kept
  }

  private static func pieces(_ range: Range<UInt64>, without holes: [Range<UInt64>]) -> [Range<UInt64>] {
    var pieces: [Range<UInt64>] = []
    var start = range.lowerBound
    for hole in holes where hole.overlaps(range) && hole.lowerBound >= start {
      if hole.lowerBound > start { pieces.append(start..<hole.lowerBound) }
      start = min(hole.upperBound, range.upperBound)
    }
    if start < range.upperBound { pieces.append(start..<range.upperBound) }
    return pieces
  }

  /// Where the code is, in order.
  private static func codeRanges(_ handle: ElfHandle) -> [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    handle.forEachSection { _, header in
      let (end, overflow) = header.sh_addr.addingReportingOverflow(header.sh_size)
      // SHF_ALLOC and SHF_EXECINSTR.
      if header.sh_flags & 6 == 6, !overflow, header.sh_size > 0 { ranges.append(header.sh_addr..<end) }
    }
    return ranges.sorted { $0.lowerBound < $1.lowerBound }
  }
}

extension ElfMemory.Part {
  /// Copies from an address within on; returns how many bytes.
  fileprivate func copy(from start: UInt64, into destination: UnsafeMutableRawBufferPointer) -> Int {
    let offset = Int(clamping: start - address)
    guard offset < bytes.count else {
      let count = Int(clamping: min(UInt64(destination.count), end - start))
      UnsafeMutableRawBufferPointer(rebasing: destination[..<count]).initializeMemory(as: UInt8.self, repeating: 0)
      return count
    }
    let count = min(bytes.count - offset, destination.count)
    bytes.withUnsafeBytes { source in
      UnsafeMutableRawBufferPointer(rebasing: destination[..<count])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[offset..<(offset + count)]))
    }
    return count
  }
}

extension ElfHandle {
  /// Bytes of the file; `nil` where there are none, or where more would be read than is allowed.
  fileprivate func bytes(at offset: UInt64, _ count: some BinaryInteger, _ allowance: inout UInt64) -> [UInt8]? {
    guard let start = off_t(exactly: offset), offset < byteCount else { return nil }
    let count = min(UInt64(clamping: count), byteCount - offset)
    guard count > 0, count <= allowance else { return nil }
    allowance -= count
    let bytes = contents(at: start, count: Int(count))
    return bytes.isEmpty ? nil : bytes
  }
}
