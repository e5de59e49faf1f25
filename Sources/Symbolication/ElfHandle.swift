// An ELF file in libelf's hands. Everything that calls libelf is behind this type; one thread at a time may use a handle.

import CElfutils

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// An open ELF file, or an ELF image in memory.
///
/// Files are read and not mapped: one that is truncated while it is looked at gives an error, and no SIGBUS.
final class ElfHandle {
  let path: String
  let elf: OpaquePointer
  private let descriptor: Int32
  private let image: UnsafeMutableRawBufferPointer?

  init(path: String) throws(SymbolError) {
    try Self.loadLibrary()
    var opened: Int32
    repeat { opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) } while opened < 0 && errno == EINTR
    guard opened >= 0 else { throw .unreadable(path: path, code: errno) }
    // A pipe or a terminal would be waited for.
    var information = stat()
    guard fstat(opened, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw .notELF(path: path, detail: "not a regular file")
    }
    guard let elf = Self.checked(ce_elf_open(opened)) else {
      let detail = Self.lastError
      close(opened)
      throw .notELF(path: path, detail: detail)
    }
    (self.path, self.elf, descriptor, image) = (path, elf, opened, nil)
  }

  /// An image that was copied out of memory, such as the vDSO: only one that is mapped whole has section headers.
  init(image bytes: [UInt8], name: String) throws(SymbolError) {
    try Self.loadLibrary()
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    copy.copyBytes(from: bytes)
    let start = copy.baseAddress?.assumingMemoryBound(to: CChar.self)
    guard let elf = Self.checked(ce_elf_memory(start, bytes.count)) else {
      let detail = Self.lastError
      copy.deallocate()
      throw .notELF(path: name, detail: detail)
    }
    (path, self.elf, descriptor, image) = (name, elf, -1, copy)
  }

  deinit {
    ce_elf_end(elf)
    if descriptor >= 0 { close(descriptor) }
    image?.deallocate()
  }

  private static func loadLibrary() throws(SymbolError) {
    if let problem = ce_load() { throw .elfutilsMissing(detail: String(cString: problem)) }
  }

  private static var lastError: String { String(cString: ce_elf_error()) }

  private static func checked(_ elf: OpaquePointer?) -> OpaquePointer? {
    guard let elf else { return nil }
    var header = Elf64_Ehdr()
    guard ce_elf_is_elf(elf) != 0, ce_gelf_getehdr(elf, &header) == 0 else {
      ce_elf_end(elf)
      return nil
    }
    return elf
  }

  /// Lower-case hexadecimal digits; `nil` where the linker gave it none.
  var buildID: String? {
    var bytes: UnsafeRawPointer?
    let count = ce_build_id(elf, &bytes)
    guard count > 0, let bytes else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: count)
      .map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
  }

  /// The name and checksum of a separate debug file (`.gnu_debuglink`).
  var debugLink: (name: String, checksum: UInt32)? {
    var checksum: UInt32 = 0
    guard let name = ce_debuglink(elf, &checksum) else { return nil }
    return (String(cString: name), checksum)
  }

  /// The size of the file; 0 for an image in memory.
  var byteCount: UInt64 {
    var information = stat()
    return descriptor >= 0 && fstat(descriptor, &information) == 0 ? UInt64(clamping: information.st_size) : 0
  }

  /// Bytes of the file, as many as there are.
  func contents(at offset: off_t, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let copied = pread(
          descriptor, buffer.baseAddress.map { $0 + initialized }, count - initialized, offset + initialized)
        if copied < 0, errno == EINTR { continue }
        guard copied > 0 else { return }
        initialized += copied
      }
    }
  }

  /// Goes through the sections.
  func forEachSection(_ body: (_ section: OpaquePointer, _ header: Elf64_Shdr) -> Void) {
    var section = ce_elf_nextscn(elf, nil)
    while let current = section {
      var header = Elf64_Shdr()
      if ce_gelf_getshdr(current, &header) == 0 { body(current, header) }
      section = ce_elf_nextscn(elf, current)
    }
  }
}
