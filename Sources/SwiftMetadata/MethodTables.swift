/// The methods of a class that are called through its table, and those that replace a superclass's.
package struct MethodTables: Sendable {
  /// What the class has a method for.
  package enum Use: Sendable {
    /// It may be overridden.
    case introduced
    /// It overrides one of a superclass.
    case override
  }

  private var uses: [UInt64: Use] = [:]
  package var isEmpty: Bool { uses.isEmpty }

  /// More methods than any class has.
  private static let maximumCount: UInt32 = 65_536

  package init() {}

  package init(_ descriptor: TypeDescriptor, _ reader: MetadataReader) {
    guard descriptor.kind == .class, var place = Self.start(descriptor, reader) else { return }
    if descriptor.flags & MetadataLayout.classHasMethodTable != 0 {
      guard let count = reader.half(place, MetadataLayout.methodTableCount), count <= Self.maximumCount else { return }
      place &+= UInt64(MetadataLayout.methodTableHeaderSize)
      for _ in 0..<count {
        if let address = reader.relative(place, MetadataLayout.methodImplementation) { uses[address] = .introduced }
        place &+= UInt64(MetadataLayout.methodDescriptorSize)
      }
    }
    guard descriptor.flags & MetadataLayout.classHasOverrideTable != 0, let count = reader.half(place),
      count <= Self.maximumCount
    else { return }
    place &+= UInt64(MetadataLayout.overrideTableHeaderSize)
    for _ in 0..<count {
      if let address = reader.relative(place, MetadataLayout.overrideImplementation) { uses[address] = .override }
      place &+= UInt64(MetadataLayout.overrideDescriptorSize)
    }
  }

  /// What the class has the code at an address for; of asynchronous methods it is the record that leads to the code.
  package func use(of address: UInt64) -> Use? { uses[address] }

  /// What lies between a class's descriptor and its tables depends on its flags; `nil` where it is not understood.
  private static func start(_ descriptor: TypeDescriptor, _ reader: MetadataReader) -> UInt64? {
    var offset = MetadataLayout.classDescriptorSize
    if descriptor.isGeneric {
      let header = offset + MetadataLayout.typeGenericHeaderPrefix
      // Packs, values and conditional copyability bring more along.
      guard let parameters = reader.quarter(descriptor.address, header),
        let requirements = reader.quarter(descriptor.address, header + 2),
        reader.quarter(descriptor.address, header + 6) == 0
      else { return nil }
      offset = header + MetadataLayout.genericHeaderSize + (Int(parameters) + 3) & ~3
      offset += Int(requirements) * MetadataLayout.requirementSize
    }
    if descriptor.hasResilientSuperclass { offset += MetadataLayout.resilientSuperclassSize }
    switch descriptor.flags & MetadataLayout.typeMetadataInitializationMask {
    case 0: break
    case MetadataLayout.typeHasSingletonInitialization: offset += MetadataLayout.singletonInitializationSize
    default: return nil
    }
    return MetadataReader.offset(descriptor.address, by: Int64(offset))
  }
}
