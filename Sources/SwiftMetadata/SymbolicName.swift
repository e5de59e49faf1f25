import ProcessMemory

/// A type's mangled name as reflection stores it: text in which a control character and four bytes stand for a descriptor
/// that lies so far away (docs/ABI/Mangling.rst of the Swift project, "Symbolic references").
///
/// To be read by the runtime's own demangler, which knows no other process, each reference is replaced by a made-up type
/// with a name of digits and underscores; after demangling, the real name takes its place. Such a name adds no words to
/// the mangling's table; that it adds more entries than the reference itself is made up for by ``MangledEntries``.
struct SymbolicName {
  /// The mangling, with made-up types for references.
  var mangling = ""
  /// The descriptors they stand for, in order.
  var descriptors: [UInt64] = []

  /// Longer names are not read: the longest in the toolchain's libraries has a few hundred bytes.
  static let maximumLength = 4096

  static func placeholder(_ index: Int) -> String { "_._\(index)_" }

  /// `nil` where the name cannot be read or refers to what is not understood, an accessor function for example.
  init?(at address: UInt64, _ reader: MetadataReader) {
    let bytes = Self.read(at: address, reader)
    guard let bytes else { return nil }
    var entries = MangledEntries(bytes)
    while entries.nextReference() != nil {
      guard let descriptor = Self.target(bytes, at: entries.position, base: address, reader),
        let letter = Self.letter(reader.contextKind(descriptor))
      else { return nil }
      let name = "_\(descriptors.count)_"
      entries.replaceReference(with: "1_\(name.utf8.count)\(name)\(letter)")
      descriptors.append(descriptor)
    }
    guard let mangling = String(validating: entries.output, as: UTF8.self) else { return nil }
    self.mangling = mangling
  }

  /// The bytes up to the zero that ends the name; the bytes of a reference may be zero themselves.
  private static func read(at address: UInt64, _ reader: MetadataReader) -> [UInt8]? {
    var bytes: [UInt8] = []
    var position = 0
    while position < maximumLength {
      while bytes.count < position + 5 {
        guard let next = MetadataReader.offset(address, by: Int64(bytes.count)) else { return nil }
        let piece = reader.memory.bytes(next, count: 64)
        if piece.isEmpty { break }
        bytes += piece
      }
      guard position < bytes.count else { return nil }
      switch bytes[position] {
      case 0: return Array(bytes[..<position])
      case 0x01...0x17:
        guard position + 5 <= bytes.count else { return nil }
        position += 5
      case 0x18...0x1F: return nil
      default: position += 1
      }
    }
    return nil
  }

  private static func target(_ bytes: [UInt8], at position: Int, base: UInt64, _ reader: MetadataReader) -> UInt64? {
    guard position + 5 <= bytes.count else { return nil }
    let distance = bytes[(position + 1)..<(position + 5)].withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
    guard let place = MetadataReader.offset(base, by: Int64(position + 1)),
      let target = MetadataReader.offset(place, by: Int64(Int32(littleEndian: distance)))
    else { return nil }
    switch bytes[position] {
    case 0x01: return target
    case 0x02: return reader.word(target)
    default: return nil
    }
  }

  private static func letter(_ kind: MetadataLayout.ContextKind?) -> Character? {
    switch kind {
    case .class: "C"
    case .struct: "V"
    case .enum: "O"
    case .protocol: "P"
    default: nil
    }
  }
}
