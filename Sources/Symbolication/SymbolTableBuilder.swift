// How a symbol table comes about: which symbols of the file count, and which one wins where several share an address.

import CElfutils

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A symbol within its table.
struct SymbolEntry {
  var start: UInt64
  var end: UInt64
  /// Where in the names its own begins.
  var name: UInt32
  var isFunction: Bool
  /// Which of several at one address is taken: the higher.
  var rank: UInt8
}

/// Collects the symbols of one image from one or more sections.
struct SymbolTableBuilder {
  enum SectionType: UInt32 {
    case symbolTable = 2  // SHT_SYMTAB
    case dynamicSymbols = 11  // SHT_DYNSYM
  }

  private var entries: [SymbolEntry] = []
  private var names: [UInt8] = []

  /// Adds the symbols of the sections of a type; false where there are none.
  mutating func add(_ handle: ElfHandle, sectionType: SectionType) -> Bool {
    let before = entries.count
    for section in Self.sections(handle, sectionType) { add(section.data, strings: section.strings) }
    return entries.count > before
  }

  /// The contents of the sections of a type, each with its strings.
  static func sections(
    _ handle: ElfHandle, _ sectionType: SectionType
  ) -> [(data: UnsafeMutablePointer<CE_Data>, strings: UnsafeMutablePointer<CE_Data>)] {
    var sections: [(data: UnsafeMutablePointer<CE_Data>, strings: UnsafeMutablePointer<CE_Data>)] = []
    var stringSections: [UInt64: OpaquePointer] = [:]
    var position: UInt64 = 0
    var symbolSections: [(OpaquePointer, UInt64)] = []
    handle.forEachSection { section, header in
      position += 1
      if header.sh_type == 3 { stringSections[position] = section }  // SHT_STRTAB
      if header.sh_type == sectionType.rawValue { symbolSections.append((section, UInt64(header.sh_link))) }
    }
    for (section, link) in symbolSections {
      guard let strings = stringSections[link].flatMap({ ce_elf_getdata($0) }), let data = ce_elf_getdata(section)
      else { continue }
      sections.append((data, strings))
    }
    return sections
  }

  private mutating func add(_ data: UnsafeMutablePointer<CE_Data>, strings: UnsafeMutablePointer<CE_Data>) {
    guard let text = strings.pointee.d_buf else { return }
    let textBytes = UnsafeRawBufferPointer(start: text, count: strings.pointee.d_size)
    // Offsets of names are 32 bits wide here as in the file.
    guard let base = UInt32(exactly: names.count), UInt64(base) + UInt64(textBytes.count) < UInt64(UInt32.max) else {
      return
    }
    names.append(contentsOf: textBytes)
    names.append(0)
    var symbol = Elf64_Sym()
    var index: Int32 = 0
    while ce_gelf_getsym(data, index, &symbol) == 0 {
      if let entry = Self.entry(symbol, base: base), Int(symbol.st_name) < textBytes.count,
        textBytes[Int(symbol.st_name)] != 0
      {
        entries.append(entry)
      }
      index += 1
    }
  }

  /// What counts: defined functions and objects, and nameless kinds of assembly. Not sections, files, or offsets into
  /// thread-local storage.
  private static func entry(_ symbol: Elf64_Sym, base: UInt32) -> SymbolEntry? {
    let type = symbol.st_info & 0xF
    let binding = symbol.st_info >> 4
    // SHN_UNDEF, and the reserved numbers (SHN_ABS, SHN_COMMON) but for SHN_XINDEX, "the number did not fit".
    guard symbol.st_shndx != 0, symbol.st_shndx < 0xFF00 || symbol.st_shndx == 0xFFFF else { return nil }
    let isFunction: Bool
    switch type {
    case 2, 10: isFunction = true  // STT_FUNC, STT_GNU_IFUNC
    case 1: isFunction = false  // STT_OBJECT
    case 0 where symbol.st_name != 0: isFunction = symbol.st_size > 0  // STT_NOTYPE
    default: return nil
    }
    let (end, overflow) = symbol.st_value.addingReportingOverflow(symbol.st_size)
    guard !overflow else { return nil }
    // A size before none, a proper kind before none; then global, weak, local.
    let bindingRank: UInt8 = binding == 1 ? 2 : binding == 2 ? 1 : 0
    let rank = (symbol.st_size > 0 ? 16 : 0) + (type == 0 ? 0 : 8) + (isFunction ? 4 : 0) + bindingRank
    return SymbolEntry(
      start: symbol.st_value, end: end, name: base &+ symbol.st_name, isFunction: isFunction, rank: rank)
  }

  /// The symbols in order of address, one for each.
  consuming func finish() -> (entries: [SymbolEntry], names: [UInt8]) {
    entries.sort { left, right in
      if left.start != right.start { return left.start < right.start }
      if left.rank != right.rank { return left.rank > right.rank }
      // The same address twice is the same file twice, or two names for one function: the first of the file stays.
      return left.end != right.end ? left.end > right.end : left.name < right.name
    }
    var kept: [SymbolEntry] = []
    kept.reserveCapacity(entries.count)
    for entry in entries where kept.last?.start != entry.start { kept.append(entry) }
    return (kept, names)
  }
}
