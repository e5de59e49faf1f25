/// That a type conforms to a protocol.
package struct ConformanceRecord: Sendable {
  /// The descriptor of the type, in this file or a made-up address of another's.
  package var type: UInt64
  /// With its module.
  package var protocolName: String
  /// What must hold for it.
  package var requirements: [GenericRequirement]
  package var isComplete: Bool

  init?(at address: UInt64, _ names: TypeNameReader) {
    let reader = names.reader
    guard let flags = reader.half(address, MetadataLayout.conformanceFlags),
      let conformed = reader.relativeIndirectable(address, MetadataLayout.conformanceProtocol),
      let protocolName = names.name(ofContext: conformed),
      let reference = reader.relative(address, MetadataLayout.conformanceType)
    else { return nil }
    switch (flags >> MetadataLayout.conformanceTypeKindShift) & MetadataLayout.conformanceTypeKindMask {
    case 0: type = reference
    case 1:
      guard let word = reader.word(reference), word != 0 else { return nil }
      type = word
    default: return nil  // Classes of Objective-C.
    }
    self.protocolName = protocolName
    let count = Int((flags >> MetadataLayout.conformanceRequirementCountShift) & 0xFF)
    let isRetroactive = flags & MetadataLayout.conformanceIsRetroactive != 0
    let start = address &+ UInt64(MetadataLayout.conformanceDescriptorSize + (isRetroactive ? 4 : 0))
    (requirements, isComplete) = RequirementReader(names).read(start, count: count)
  }
}
