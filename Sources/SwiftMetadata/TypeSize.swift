/// The sizes of a type and the offsets of its fields, out of its metadata.
package struct TypeSize: Hashable, Sendable {
  /// Of a value: of a reference, for a class.
  package var size: UInt64
  package var stride: UInt64
  package var alignment: UInt64
  package var isCopyable: Bool
  /// Of an object, header included; for classes only.
  package var instanceSize: UInt64?
  /// Of each field from the start of the value or the object; `nil` where they are not known.
  package var fieldOffsets: [UInt64]?

  /// Larger sizes are damage.
  private static let maximumSize: UInt64 = 1 << 40

  /// Types of the simplest shapes share the runtime's own tables: numbers, references, `()`. By their symbols, the sizes;
  /// the alignment is the same (`swift/Runtime/Metadata.h`, "value-witness tables for ...").
  private static let sharedWitnesses: [String: UInt64] = [
    "$sBi8_WV": 1, "$sBi16_WV": 2, "$sBi32_WV": 4, "$sBi64_WV": 8, "$sBi128_WV": 16, "$sBoWV": 8, "$sBbWV": 8,
    "$sBpWV": 8, "$sytWV": 0,
  ]

  /// `nil` where the metadata cannot be read or is not complete yet.
  package init?(ofMetadata metadata: UInt64, _ descriptor: TypeDescriptor, fieldCount: Int, _ reader: MetadataReader) {
    if descriptor.kind == .class {
      guard let bytes = reader.half(metadata, MetadataLayout.classInstanceSize),
        bytes >= MetadataLayout.heapObjectHeaderSize,
        let mask = reader.quarter(metadata, MetadataLayout.classInstanceAlignmentMask)
      else { return nil }
      let word = UInt64(MetadataLayout.wordSize)
      (size, stride, alignment, isCopyable) = (word, word, UInt64(mask) + 1, true)
      instanceSize = UInt64(bytes)
    } else {
      guard let witnesses = reader.word(metadata, MetadataLayout.valueWitnessTable), witnesses != 0 else { return nil }
      if let symbol = reader.importedSymbol(at: witnesses) {
        guard let shared = Self.sharedWitnesses[symbol] else { return nil }
        (size, stride, alignment, isCopyable) = (shared, max(shared, 1), max(min(shared, 16), 1), true)
      } else {
        guard let size = reader.word(witnesses, MetadataLayout.witnessSize), size < Self.maximumSize,
          let stride = reader.stride(of: metadata), stride >= size,
          let flags = reader.half(witnesses, MetadataLayout.witnessFlags),
          flags & MetadataLayout.witnessIsIncomplete == 0
        else { return nil }
        (self.size, self.stride) = (size, stride)
        alignment = UInt64(flags & MetadataLayout.witnessAlignmentMask) + 1
        isCopyable = flags & MetadataLayout.witnessIsNonCopyable == 0
      }
    }
    fieldOffsets = Self.offsets(metadata, descriptor, fieldCount, reader)
    // Offsets that have not been filled in are all zero.
    if let offsets = fieldOffsets, let end = offsets.last, end >= instanceSize ?? max(size, 1) { fieldOffsets = nil }
    if descriptor.kind == .class, let first = fieldOffsets?.first, first < UInt64(MetadataLayout.heapObjectHeaderSize) {
      fieldOffsets = nil
    }
  }

  private static func offsets(
    _ metadata: UInt64, _ descriptor: TypeDescriptor, _ count: Int, _ reader: MetadataReader
  ) -> [UInt64]? {
    let field: Int
    switch descriptor.kind {
    case .struct: field = MetadataLayout.structDescriptorFieldOffsets
    case .class: field = MetadataLayout.classDescriptorFieldOffsets
    default: return nil
    }
    guard count > 0, count < 65_536, let words = reader.half(descriptor.address, field), words > 0, words < 65_536
    else { return nil }
    // Behind a superclass whose size is found out at run time the place is relative to its end: left to the symbols.
    guard !descriptor.hasResilientSuperclass else { return nil }
    let start = Int(words) * MetadataLayout.wordSize
    let offsets = (0..<count).map { index -> UInt64? in
      descriptor.kind == .class
        ? reader.word(metadata, start + index * MetadataLayout.wordSize)
        : reader.half(metadata, start + index * 4).map(UInt64.init)
    }
    return offsets.contains(nil) ? nil : offsets.compactMap(\.self)
  }
}
