// What the loader would write into the memory of a file.

import CElfutils

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The relocations of a file, applied as if it were loaded at the addresses that it counts.
struct ElfRelocations {
  /// What a relocation asks for, whatever its number on a machine.
  private enum Kind {
    /// The address of something in the file itself, which the addend says.
    case relative
    /// The address of a symbol, and the addend.
    case symbol
    /// The contents of a symbol's memory.
    case copy
  }

  private let handle: ElfHandle
  private let machine: UInt16

  init(_ handle: ElfHandle) {
    self.handle = handle
    var header = Elf64_Ehdr()
    machine = ce_gelf_getehdr(handle.elf, &header) == 0 ? header.e_machine : 0
  }

  func apply(to memory: inout ElfMemory) {
    var sections: [UInt32: (OpaquePointer, Elf64_Shdr)] = [:]
    var tables: [(OpaquePointer, Elf64_Shdr)] = []
    var position: UInt32 = 0
    handle.forEachSection { section, header in
      position += 1
      sections[position] = (section, header)
      // Relocations of object files are for the linker and are not loaded.
      if header.sh_flags & 2 != 0 { tables.append((section, header)) }
    }
    // Packed relative relocations (SHT_RELR) hold their addends in place: with nothing to add, nothing changes.
    for (section, header) in tables where header.sh_type == 4 {  // SHT_RELA
      let symbols = sections[header.sh_link].flatMap { Symbols($0.0, handle, link: $0.1.sh_link) }
      apply(section, symbols, to: &memory)
    }
  }

  /// Numbers from the psABI supplements of the two machines.
  private func kind(_ type: UInt32) -> Kind? {
    switch (machine, type) {
    case (62, 8), (183, 1027): .relative  // R_X86_64_RELATIVE, R_AARCH64_RELATIVE
    // R_X86_64_64, GLOB_DAT, JUMP_SLOT; R_AARCH64_ABS64, GLOB_DAT, JUMP_SLOT.
    case (62, 1), (62, 6), (62, 7), (183, 257), (183, 1025), (183, 1026): .symbol
    case (62, 5), (183, 1024): .copy
    default: nil
    }
  }

  /// `Elf64_Rela`: a place, a symbol and a type, an addend.
  private func apply(_ section: OpaquePointer, _ symbols: Symbols?, to memory: inout ElfMemory) {
    guard let data = ce_elf_getdata(section), let start = data.pointee.d_buf else { return }
    let entries = UnsafeRawBufferPointer(start: start, count: data.pointee.d_size)
    var imports: [UInt32: UInt64] = [:]
    for offset in stride(from: 0, through: entries.count - 24, by: 24) {
      let place = entries.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let information = entries.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
      let addend = entries.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self)
      guard let kind = kind(UInt32(truncatingIfNeeded: information)) else { continue }
      let index = UInt32(truncatingIfNeeded: information >> 32)
      switch kind {
      case .relative: memory.store(addend, at: place)
      case .copy: if let name = symbols?.symbol(index)?.name { memory.noteCopy(of: name, to: place) }
      case .symbol:
        if let known = imports[index] {
          memory.store(known &+ addend, at: place)
        } else if let symbol = symbols?.symbol(index) {
          guard symbol.address == nil else {
            memory.store((symbol.address ?? 0) &+ addend, at: place)
            continue
          }
          let made = memory.importAddress(of: symbol.name)
          imports[index] = made
          memory.store(made &+ addend, at: place)
        }
      }
    }
  }

  /// The dynamic symbols that relocations refer to by number.
  private struct Symbols {
    let data: UnsafeMutablePointer<CE_Data>
    let handle: ElfHandle
    let strings: Int

    init?(_ section: OpaquePointer, _ handle: ElfHandle, link: UInt32) {
      guard let data = ce_elf_getdata(section) else { return nil }
      (self.data, self.handle, strings) = (data, handle, Int(link))
    }

    /// A symbol's name, and its address where this file defines it.
    func symbol(_ index: UInt32) -> (name: String, address: UInt64?)? {
      var symbol = Elf64_Sym()
      guard index > 0, let number = Int32(exactly: index), ce_gelf_getsym(data, number, &symbol) == 0,
        let name = ce_elf_strptr(handle.elf, strings, Int(symbol.st_name))
      else { return nil }
      return (String(cString: name), symbol.st_shndx == 0 ? nil : symbol.st_value)
    }
  }
}
