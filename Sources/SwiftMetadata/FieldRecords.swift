// Floor 3, in process: the reflection records of one type's own fields or cases.

/// The field descriptor of a struct, class or enum.
struct FieldRecords {
  /// One field or case.
  struct Record {
    var name: String
    /// `nil` for a case without a payload.
    var typeName: MangledTypeName?
    var isIndirectCase: Bool
  }

  private let descriptor: UnsafeRawPointer?
  /// How many fields or cases the type has by its own descriptor, which is kept even where records are stripped.
  private let declaredCount: Int
  /// How many records there are.
  let count: Int

  init(_ metadata: TypeMetadata) {
    guard let context = metadata.descriptor else {
      descriptor = nil
      declaredCount = 0
      count = 0
      return
    }
    func word(_ offset: Int) -> UInt32 { context.load(fromByteOffset: offset, as: UInt32.self) }
    switch metadata.kind {
    case .struct: declaredCount = Int(word(MetadataLayout.structDescriptorFieldCount))
    case .class: declaredCount = Int(word(MetadataLayout.classDescriptorFieldCount))
    default:
      declaredCount =
        Int(word(MetadataLayout.enumDescriptorPayloadCases) & MetadataLayout.enumPayloadCaseMask)
        + Int(word(MetadataLayout.enumDescriptorEmptyCases))
    }
    let reference = context + MetadataLayout.descriptorFields
    let offset = Int(reference.load(as: Int32.self))
    let found = offset == 0 ? nil : reference + offset
    descriptor = found
    let recordCount = found.map {
      Int($0.load(fromByteOffset: MetadataLayout.fieldDescriptorRecordCount, as: UInt32.self))
    }
    count = recordCount ?? 0
  }

  /// Whether the type has fields or cases, and no record of them.
  var isStripped: Bool { count == 0 && declaredCount > 0 }

  func record(_ index: Int) -> Record? {
    guard let descriptor, index < count else { return nil }
    let record = descriptor + MetadataLayout.fieldDescriptorHeaderSize + index * MetadataLayout.fieldRecordSize
    let flags = record.load(fromByteOffset: MetadataLayout.fieldRecordFlags, as: UInt32.self)
    let nameReference = record + MetadataLayout.fieldRecordName
    let nameOffset = Int(nameReference.load(as: Int32.self))
    let name =
      nameOffset == 0 ? "" : String(cString: (nameReference + nameOffset).assumingMemoryBound(to: CChar.self))
    return Record(
      name: name, typeName: MangledTypeName(at: record + MetadataLayout.fieldRecordTypeName),
      isIndirectCase: flags & MetadataLayout.fieldRecordIsIndirectCase != 0)
  }
}
