// The Swift symbols of a file in order of their mangled names: all that belong to one type stand together.

import CElfutils

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// All Swift symbols of a file in the order of their bytes, several at one address included.
///
/// A mangled name begins with its context, so the members of a type are one run of the list.
package struct SymbolList: Sendable {
  private struct Entry {
    var address: UInt64
    var name: UInt32
    var length: UInt32
  }

  /// Where the symbols come from.
  package let source: SymbolTable.Source
  /// How many are defined.
  package var count: Int { entries.count }
  /// The names that the file needs of others, each once, in order.
  package let needed: [String]
  private let entries: [Entry]
  private let names: [UInt8]

  init(_ handle: ElfHandle, name: String, debugFolders: [String]) {
    var gathered = Gathering()
    var source = SymbolTable.Source.none
    if gathered.add(handle, sectionType: .symbolTable) {
      source = .symbolTable
    } else if let debug = SeparateDebugFile.find(for: handle, loadedAs: name, in: debugFolders),
      gathered.add(debug, sectionType: .symbolTable)
    {
      source = .debugFile
    }
    // What is exported is in the full table too, and what is needed in this one.
    if gathered.add(handle, sectionType: .dynamicSymbols, onlyNeeded: source != .none), source == .none {
      source = .dynamicSymbols
    }
    self.source = source
    needed = gathered.needed.sorted()
    (entries, names) = gathered.finish()
  }

  /// The bytes of a name.
  package func bytes(_ index: Int) -> ArraySlice<UInt8> {
    let entry = entries[index]
    return names[Int(entry.name)..<Int(entry.name) + Int(entry.length)]
  }

  package func name(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  package func address(_ index: Int) -> UInt64 { entries[index].address }

  /// The run of names with a beginning.
  package func range(prefix: some Collection<UInt8>) -> Range<Int> {
    let prefix = Array(prefix)
    let start = partition { order($0, prefix) < 0 }
    let end = partition { order($0, prefix, onlyBeginning: true) <= 0 }
    return start..<max(start, end)
  }

  /// The place of a name; `nil` where it is not defined.
  package func index(of name: String) -> Int? {
    let bytes = Array(name.utf8)
    let start = partition { order($0, bytes) < 0 }
    return start < count && order(start, bytes) == 0 ? start : nil
  }

  /// Whether a name, or as much of it as there is of `text`, comes before a text (negative), after it, or is it (0).
  private func order(_ index: Int, _ text: [UInt8], onlyBeginning: Bool = false) -> Int {
    let entry = entries[index]
    let length = Int(entry.length)
    let common = min(length, text.count)
    let order = names.withUnsafeBytes { names in
      text.withUnsafeBytes { text in
        guard let name = names.baseAddress, let other = text.baseAddress else { return Int32(0) }
        return memcmp(name + Int(entry.name), other, common)
      }
    }
    if order != 0 { return Int(order) }
    return onlyBeginning && length >= text.count ? 0 : length - text.count
  }

  /// The first name for which `isBefore` is false.
  private func partition(_ isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension SymbolList {
  /// Gathers the symbols of one or more sections.
  private struct Gathering {
    private var entries: [Entry] = []
    private var names: [UInt8] = []
    private(set) var needed: Set<String> = []

    /// Adds the symbols of the sections of a type; false where there are none.
    mutating func add(
      _ handle: ElfHandle, sectionType: SymbolTableBuilder.SectionType, onlyNeeded: Bool = false
    ) -> Bool {
      let before = entries.count
      for (symbols, strings) in SymbolTableBuilder.sections(handle, sectionType) {
        add(symbols, strings, onlyNeeded: onlyNeeded)
      }
      return entries.count > before
    }

    private mutating func add(
      _ symbols: UnsafeMutablePointer<CE_Data>, _ strings: UnsafeMutablePointer<CE_Data>, onlyNeeded: Bool
    ) {
      guard let text = strings.pointee.d_buf else { return }
      let textBytes = UnsafeRawBufferPointer(start: text, count: strings.pointee.d_size)
      // Names share their ends, but not more than that: in a damaged file each may be as long as all of them.
      let limit = names.count + 4 * textBytes.count
      var symbol = Elf64_Sym()
      var index: Int32 = 0
      while ce_gelf_getsym(symbols, index, &symbol) == 0 {
        index += 1
        let isDefined = symbol.st_shndx != 0
        guard !(isDefined && onlyNeeded), let name = Self.swiftName(textBytes, Int(symbol.st_name)) else {
          continue
        }
        guard names.count + name.count <= limit else { return }
        if isDefined { append(name, symbol.st_value) } else { needed.insert(String(decoding: name, as: UTF8.self)) }
      }
    }

    /// A name that begins as Swift's do; `nil` for others.
    private static func swiftName(_ text: UnsafeRawBufferPointer, _ start: Int) -> UnsafeRawBufferPointer.SubSequence? {
      guard start < text.count - 2, text[start] == UInt8(ascii: "$"), text[start + 1] == UInt8(ascii: "s"),
        let base = text.baseAddress
      else { return nil }
      let length = strnlen(base.assumingMemoryBound(to: CChar.self) + start, text.count - start)
      return text[start..<start + length]
    }

    private mutating func append(_ name: UnsafeRawBufferPointer.SubSequence, _ address: UInt64) {
      guard let start = UInt32(exactly: names.count), let length = UInt32(exactly: name.count) else { return }
      names.append(contentsOf: name)
      entries.append(Entry(address: address, name: start, length: length))
    }

    consuming func finish() -> (entries: [Entry], names: [UInt8]) {
      names.withUnsafeBytes { names in
        entries.sort { left, right in
          guard let base = names.baseAddress else { return false }
          let order = memcmp(base + Int(left.name), base + Int(right.name), Int(min(left.length, right.length)))
          if order != 0 { return order < 0 }
          return left.length != right.length ? left.length < right.length : left.address < right.address
        }
      }
      return (entries, names)
    }
  }
}
