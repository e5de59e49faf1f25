import ProcessMemory

/// Reads metadata and descriptors out of an address space, checked at each step: an address that leads nowhere, or to what
/// is no metadata, is answered with `nil`.
///
/// Nothing is kept here; each question is a few reads of some dozen bytes.
package struct MetadataReader: Sendable {
  package let memory: any MemoryReader
  private let imports: (any ImportedSymbols)?

  package init(_ memory: any MemoryReader) {
    self.memory = memory
    imports = memory as? any ImportedSymbols
  }

  /// The symbol that an address stands for, where it is another file's and only its name is known.
  package func importedSymbol(at address: UInt64) -> String? { imports?.importedSymbol(at: address) }

  /// An address that `base` and a signed number of bytes give; `nil` where it would leave the address space.
  package static func offset(_ base: UInt64, by bytes: Int64) -> UInt64? {
    let (sum, overflow) =
      bytes >= 0
      ? base.addingReportingOverflow(UInt64(bytes)) : base.subtractingReportingOverflow(bytes.magnitude)
    return overflow || sum == 0 ? nil : sum
  }

  package func word(_ address: UInt64, _ field: Int = 0) -> UInt64? {
    Self.offset(address, by: Int64(field)).flatMap { memory.load($0, as: UInt64.self) }
  }

  package func half(_ address: UInt64, _ field: Int = 0) -> UInt32? {
    Self.offset(address, by: Int64(field)).flatMap { memory.load($0, as: UInt32.self) }
  }

  package func quarter(_ address: UInt64, _ field: Int = 0) -> UInt16? {
    Self.offset(address, by: Int64(field)).flatMap { memory.load($0, as: UInt16.self) }
  }

  /// The address that a relative pointer at a field leads to; `nil` for null.
  package func relative(_ address: UInt64, _ field: Int) -> UInt64? {
    guard let place = Self.offset(address, by: Int64(field)), let distance = memory.load(place, as: Int32.self),
      distance != 0
    else { return nil }
    return Self.offset(place, by: Int64(distance))
  }

  /// As ``relative(_:_:)``, where the lowest bit says that the address found holds the address meant.
  package func relativeIndirectable(_ address: UInt64, _ field: Int) -> UInt64? {
    guard let place = Self.offset(address, by: Int64(field)), let distance = memory.load(place, as: Int32.self),
      distance != 0, let target = Self.offset(place, by: Int64(distance & ~1))
    else { return nil }
    return distance & 1 == 0 ? target : word(target).flatMap { $0 == 0 ? nil : $0 }
  }

  /// A name, bounded: longer ones are no names.
  package func name(_ address: UInt64) -> String? {
    guard let bytes = memory.bytesUpToZero(address, limit: 2048), !bytes.isEmpty else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// What a descriptor describes.
  package func contextKind(_ descriptor: UInt64) -> MetadataLayout.ContextKind? {
    if let symbol = importedSymbol(at: descriptor) { return ImportedDescriptor(symbol)?.kind }
    return half(descriptor, MetadataLayout.descriptorFlags)
      .flatMap { MetadataLayout.ContextKind(rawValue: $0 & MetadataLayout.contextKindMask) }
  }

  /// The kind of metadata.
  package func kind(_ metadata: UInt64) -> MetadataLayout.Kind? {
    word(metadata).flatMap(MetadataLayout.Kind.init(rawValue:))
  }

  /// The descriptor of a class, struct or enum.
  package func descriptor(of metadata: UInt64, _ kind: MetadataLayout.Kind) -> UInt64? {
    switch kind {
    case .class: word(metadata, MetadataLayout.classDescription)
    case .struct, .enum, .optional, .foreignClass, .foreignReferenceType:
      word(metadata, MetadataLayout.valueDescription)
    default: nil
    }
  }

  /// The bytes from one value of a type to the next in an array; `nil` where they cannot be read or make no sense.
  package func stride(of metadata: UInt64) -> UInt64? {
    guard let witnesses = word(metadata, MetadataLayout.valueWitnessTable),
      let stride = word(witnesses, MetadataLayout.witnessStride), stride >= 1, stride < 1 << 32
    else { return nil }
    return stride
  }
}
