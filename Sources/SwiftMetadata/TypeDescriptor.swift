/// The descriptor of a class, struct, enum or protocol, read out of any memory: what it says without metadata and without
/// symbols.
package struct TypeDescriptor: Sendable {
  package let address: UInt64
  package let kind: MetadataLayout.ContextKind
  package let flags: UInt32

  /// No type has more fields, no protocol more requirements.
  private static let maximumCount: UInt32 = 65_536

  /// `nil` where the address leads to no such descriptor.
  package init?(at address: UInt64, _ reader: MetadataReader) {
    guard let flags = reader.half(address),
      let kind = MetadataLayout.ContextKind(rawValue: flags & MetadataLayout.contextKindMask),
      [.class, .struct, .enum, .protocol].contains(kind)
    else { return nil }
    (self.address, self.flags, self.kind) = (address, flags, kind)
  }

  package var isGeneric: Bool { flags & MetadataLayout.contextIsGeneric != 0 }
  package var isActor: Bool { kind == .class && flags & MetadataLayout.classIsActor != 0 }

  /// Whether sizes and offsets are complete only when a program has used the type.
  package var isCompletedAtRunTime: Bool {
    flags & MetadataLayout.typeMetadataInitializationMask != 0 || hasResilientSuperclass
  }

  package var hasResilientSuperclass: Bool {
    kind == .class && flags & MetadataLayout.classHasResilientSuperclass != 0
  }

  /// Whether only objects conform to the protocol.
  package var isClassConstrained: Bool {
    kind == .protocol && flags & MetadataLayout.protocolHasNoClassConstraint == 0
  }

  /// The superclass, with its module; `nil` for a class without one.
  package func superclass(_ names: TypeNameReader) -> String? {
    guard kind == .class else { return nil }
    return names.reader.relative(address, MetadataLayout.classDescriptorSuperclass).flatMap(names.name(ofMangling:))
  }

  // MARK: - Fields

  /// The type's own stored properties, or its cases.
  package func fields(_ names: TypeNameReader) -> DescribedFields {
    let reader = names.reader
    var result = DescribedFields(declaredCount: declaredFieldCount(reader))
    guard let records = reader.relative(address, MetadataLayout.descriptorFields),
      let count = reader.half(records, MetadataLayout.fieldDescriptorRecordCount), count <= Self.maximumCount
    else { return result }
    for index in 0..<Int(count) {
      let offset = MetadataLayout.fieldDescriptorHeaderSize + index * MetadataLayout.fieldRecordSize
      guard let record = MetadataReader.offset(records, by: Int64(offset)),
        let flags = reader.half(record, MetadataLayout.fieldRecordFlags),
        let name = reader.relative(record, MetadataLayout.fieldRecordName).flatMap(reader.name)
      else { break }
      result.fields.append(
        DescribedField(
          name: name,
          type: reader.relative(record, MetadataLayout.fieldRecordTypeName).flatMap(names.name(ofMangling:)),
          isVariable: flags & MetadataLayout.fieldRecordIsVar != 0,
          isIndirect: flags & MetadataLayout.fieldRecordIsIndirectCase != 0,
          isArtificial: flags & MetadataLayout.fieldRecordIsArtificial != 0))
    }
    return result
  }

  private func declaredFieldCount(_ reader: MetadataReader) -> Int {
    func count(_ field: Int) -> UInt32 { min(reader.half(address, field) ?? 0, Self.maximumCount) }
    switch kind {
    case .class: return Int(count(MetadataLayout.classDescriptorFieldCount))
    case .struct: return Int(count(MetadataLayout.structDescriptorFieldCount))
    case .enum:
      let payloads = reader.half(address, MetadataLayout.enumDescriptorPayloadCases) ?? 0
      return Int(min(payloads & MetadataLayout.enumPayloadCaseMask, Self.maximumCount))
        + Int(count(MetadataLayout.enumDescriptorEmptyCases))
    default: return 0
    }
  }

  // MARK: - Protocols

  /// The associated types of a protocol.
  package func associatedTypes(_ reader: MetadataReader) -> [String] {
    guard kind == .protocol, let names = reader.relative(address, MetadataLayout.protocolAssociatedTypeNames) else {
      return []
    }
    return reader.name(names)?.split(separator: " ").map(String.init) ?? []
  }

  /// What a protocol asks of the types that conform to it, and whether all of it could be read.
  package func protocolSignature(_ names: TypeNameReader) -> ([GenericRequirement], isComplete: Bool) {
    guard kind == .protocol, let count = names.reader.half(address, MetadataLayout.protocolSignatureCount),
      count <= Self.maximumCount,
      let first = MetadataReader.offset(address, by: Int64(MetadataLayout.protocolDescriptorSize))
    else { return ([], false) }
    return RequirementReader(names).read(first, count: Int(count))
  }

  /// How many methods, initializers and accessors a protocol asks for.
  package func requirementCount(_ reader: MetadataReader) -> Int {
    guard kind == .protocol, let signature = reader.half(address, MetadataLayout.protocolSignatureCount),
      let count = reader.half(address, MetadataLayout.protocolRequirementCount), signature <= Self.maximumCount,
      count <= Self.maximumCount
    else { return 0 }
    let start = MetadataLayout.protocolDescriptorSize + Int(signature) * MetadataLayout.requirementSize
    return (0..<Int(count)).count { index in
      let flags = reader.half(address, start + index * MetadataLayout.protocolRequirementSize) ?? 0
      // Methods, initializers, getters, setters; not what follows from them, nor base protocols and associated types.
      return (1...4).contains(flags & MetadataLayout.protocolRequirementKindMask)
    }
  }
}
