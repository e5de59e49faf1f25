import Synchronization

/// The symbols of an ELF image, in order of address: `.symtab` of the file or of its separate debug file, and `.dynsym`.
///
/// An address belongs to a symbol only within the symbol's size; what lies between symbols has no name, and never that of a
/// neighbour. Built once, some 0.1 µs a symbol; a lookup takes about 0.1 µs and may be made from any number of threads.
///
/// ```swift
/// let table = try SymbolTable(ofFileAt: "/usr/bin/shop")
/// table.symbol(at: 0x4f10)?.name
/// ```
public final class SymbolTable: Sendable {
  /// Where the symbols come from.
  public enum Source: String, Sendable, Codable {
    /// The file's own `.symtab`.
    case symbolTable
    /// `.symtab` of a separate debug file.
    case debugFile
    /// Only `.dynsym`: what the file exports. It has been stripped.
    case dynamicSymbols
    /// There are none.
    case none
  }

  /// Where most of the symbols come from.
  public let source: Source
  /// The build-id of the image; `nil` where it has none.
  public let buildID: String?
  /// The file whose `.symtab` it is: the image's own, or a separate debug file.
  public let symbolFile: String
  /// How many there are; of several at one address only the best counts.
  public var count: Int { entries.count }

  private let entries: [SymbolEntry]
  /// For each entry the highest end of it and all before it: where to stop looking for one that encloses an address.
  private let reach: [UInt64]
  private let names: [UInt8]
  private let asyncNames = Mutex<Set<String>?>(nil)

  /// The symbols of a file.
  ///
  /// - Parameters:
  ///   - path: the file that is opened.
  ///   - name: the path under which the image was loaded, where that is another: separate debug files are looked for
  ///     beside it. `path` by default.
  ///   - buildID: the build-id of the loaded image, where it is known: another file is refused.
  ///   - debugFolders: where separate debug files are, `.build-id` and by path.
  /// - Throws: ``SymbolError``.
  public convenience init(
    ofFileAt path: String, loadedAs name: String? = nil, buildID: String? = nil,
    debugFolders: [String] = ["/usr/lib/debug"]
  ) throws(SymbolError) {
    let handle = try ElfHandle(path: path)
    let found = handle.buildID
    if let buildID, found != buildID { throw .otherFile(path: path, expected: buildID, found: found) }
    self.init(handle, name: name ?? path, debugFolders: debugFolders)
  }

  /// The symbols of an ELF image that was copied out of memory whole, such as the vDSO.
  public convenience init(ofImage bytes: [UInt8], named name: String) throws(SymbolError) {
    self.init(try ElfHandle(image: bytes, name: name), name: name, debugFolders: [])
  }

  private init(_ handle: ElfHandle, name: String, debugFolders: [String]) {
    var builder = SymbolTableBuilder()
    var source = Source.none
    var symbolFile = handle.path
    if builder.add(handle, sectionType: .symbolTable) {
      source = .symbolTable
    } else if let debug = SeparateDebugFile.find(for: handle, loadedAs: name, in: debugFolders),
      builder.add(debug, sectionType: .symbolTable)
    {
      source = .debugFile
      symbolFile = debug.path
    }
    if builder.add(handle, sectionType: .dynamicSymbols), source == .none { source = .dynamicSymbols }
    (entries, names) = builder.finish()
    reach = entries.reduce(into: []) { $0.append(max($0.last ?? 0, $1.end)) }
    (self.source, self.symbolFile, buildID) = (source, symbolFile, handle.buildID)
  }

  /// The symbol whose range holds an address of the file; `nil` between symbols. Where ranges nest, the innermost.
  public func symbol(at address: UInt64) -> Symbol? { index(at: address).map(symbol(atIndex:)) }

  /// The place in order of the symbol whose range holds an address: a key for what a caller keeps for each symbol.
  public func index(at address: UInt64) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].start <= address { low = middle + 1 } else { high = middle }
    }
    var index = low - 1
    while index >= 0, reach[index] > address || entries[index].start == address {
      let entry = entries[index]
      if address < entry.end || entry.start == address { return index }
      index -= 1
    }
    return nil
  }

  /// The symbol at a place in order, `0..<count`.
  public func symbol(atIndex index: Int) -> Symbol {
    let entry = entries[index]
    return Symbol(
      name: name(entry), address: entry.start, size: entry.end - entry.start,
      kind: entry.isFunction ? .function : .object)
  }

  /// Whether a symbol is a part of an asynchronous Swift function.
  ///
  /// The parts after an `await` bear a mangled suffix (`TY0_`, `TQ1_`); the first part is known by the record that points to
  /// it, whose name is the function's and `Tu` (docs/ABI/Mangling.rst of the Swift project).
  public func isAsyncFunction(_ name: String) -> Bool {
    guard Demangler.language(of: name) == .swift else { return AsyncSuffix.isPart(name) }
    return AsyncSuffix.isPart(name)
      || asyncNames.withLock { known in
        if let known { return known.contains(name) }
        let found = asyncFunctionNames()
        known = found
        return found.contains(name)
      }
  }

  private func asyncFunctionNames() -> Set<String> {
    var found: Set<String> = []
    for entry in entries where !entry.isFunction {
      let bytes = nameBytes(entry)
      if bytes.count > 2, bytes.suffix(2).elementsEqual("Tu".utf8) {
        found.insert(String(decoding: bytes.dropLast(2), as: UTF8.self))
      }
    }
    return found
  }

  private func name(_ entry: SymbolEntry) -> String { String(decoding: nameBytes(entry), as: UTF8.self) }

  private func nameBytes(_ entry: SymbolEntry) -> ArraySlice<UInt8> {
    let start = Int(entry.name)
    guard start < names.count else { return [] }
    return names[start..<(names[start...].firstIndex(of: 0) ?? names.count)]
  }
}

/// The mangled suffixes of the parts that an asynchronous function is cut into.
enum AsyncSuffix {
  /// `TY0_` or `TQ12_`.
  static func isPart(_ name: String) -> Bool {
    var bytes = name.utf8[...]
    guard bytes.popLast() == UInt8(ascii: "_") else { return false }
    let digits = bytes.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
    let ending = bytes.dropLast(digits).suffix(2)
    return digits > 0 && (ending.elementsEqual("TY".utf8) || ending.elementsEqual("TQ".utf8))
  }
}
