// An ELF file as its readers of metadata want it: sections by name, bytes by address, symbols by name.

import CElfutils

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// An ELF file, opened: where its sections are, what its memory will hold, and the names it defines.
///
/// ```swift
/// let image = try ElfImage(ofFileAt: "/usr/bin/shop")
/// image.sections["swift5_type_metadata"]
/// ```
///
/// What is read is checked: a damaged file gives an error or less of itself, and never a fault. Some 20 ms for a file of 10 MB.
public struct ElfImage: Sendable {
  /// Where the file is.
  public let path: String
  /// The build-id as lower-case hexadecimal digits; `nil` where the linker gave it none.
  public let buildID: String?
  /// The address ranges of the sections that are loaded, by name, as the file counts addresses.
  public let sections: [String: Range<UInt64>]
  /// What the file puts into memory, but for its code, at the addresses that the file counts.
  public let memory: ElfMemory
  /// The Swift names that the file defines and needs.
  package let symbols: SymbolList

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the file that is opened.
  ///   - name: the path under which the image was loaded, where that is another: separate debug files are looked for
  ///     beside it. `path` by default.
  ///   - buildID: the build-id of the loaded image, where it is known: another file is refused.
  ///   - debugFolders: where separate debug files are, `.build-id` and by path.
  /// - Throws: ``SymbolError``: the file cannot be read, is no ELF file, or one of 32 bits or of the other byte order, or ends too
  ///   early.
  public init(
    ofFileAt path: String, loadedAs name: String? = nil, buildID: String? = nil,
    debugFolders: [String] = ["/usr/lib/debug"]
  ) throws(SymbolError) {
    let handle = try ElfHandle(path: path)
    let found = handle.buildID
    if let buildID, found != buildID { throw .otherFile(path: path, expected: buildID, found: found) }
    try Self.checkForm(handle)
    self.path = path
    self.buildID = found
    sections = Self.sections(handle)
    memory = ElfMemory(handle, skippingCode: true)
    symbols = SymbolList(handle, name: name ?? path, debugFolders: debugFolders)
  }

  /// Metadata is read in the words of this machine.
  static func checkForm(_ handle: ElfHandle) throws(SymbolError) {
    var header = Elf64_Ehdr()
    guard ce_gelf_getehdr(handle.elf, &header) == 0 else {
      throw .notELF(path: handle.path, detail: "its header cannot be read")
    }
    let order = UInt16(littleEndian: 1) == 1 ? ELFDATA2LSB : ELFDATA2MSB
    guard header.e_ident.4 == UInt8(ELFCLASS64), header.e_ident.5 == UInt8(order) else {
      throw .notELF(path: handle.path, detail: "it is not for a 64-bit machine of this byte order")
    }
    // Linkers write them last: where they are not all there, what is there would look like a file with less in it. A count of 0 stands
    // for one that the first header has.
    let headers = UInt64(max(header.e_shnum, 1)) * UInt64(header.e_shentsize)
    let (end, overflow) = header.e_shoff.addingReportingOverflow(headers)
    if header.e_shoff > 0, overflow || end > handle.byteCount {
      throw .cutShort(path: handle.path, byteCount: handle.byteCount, expected: overflow ? .max : end)
    }
  }

  private static func sections(_ handle: ElfHandle) -> [String: Range<UInt64>] {
    var found: [String: Range<UInt64>] = [:]
    handle.forEachSection { _, header in
      var header = header
      let (end, overflow) = header.sh_addr.addingReportingOverflow(header.sh_size)
      // SHF_ALLOC, and not SHT_NOBITS.
      guard header.sh_flags & 2 != 0, header.sh_type != 8, !overflow,
        let name = ce_elf_section_name(handle.elf, &header).map({ String(cString: $0) }), found[name] == nil
      else { return }
      found[name] = header.sh_addr..<end
    }
    return found
  }
}
