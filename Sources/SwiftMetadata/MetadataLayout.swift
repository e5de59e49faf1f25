/// Where the Swift runtime keeps what, on a 64-bit machine without Objective-C: the numbers every reader of metadata shares.
///
/// Sources: `include/swift/ABI/Metadata.h`, `MetadataKind.def` and `MetadataValues.h` of the Swift project, and
/// `docs/ABI/TypeMetadata.rst` there. Linux promises no stable ABI: checked with Swift 6.3.1 by the tests, which compare
/// what these numbers find with what the runtime itself says. x86-64 and arm64 share them.
package enum MetadataLayout {
  /// The size of a pointer, and of a word of metadata.
  package static let wordSize = 8

  /// The first word of metadata. A value above ``lastKind`` would be an Objective-C class, of which Linux has none.
  package enum Kind: UInt64 {
    case `class` = 0
    case `struct` = 0x200
    case `enum` = 0x201
    case optional = 0x202
    case foreignClass = 0x203
    case foreignReferenceType = 0x204
    case opaque = 0x300
    case tuple = 0x301
    case function = 0x302
    case existential = 0x303
    case metatype = 0x304
    case objectiveCClassWrapper = 0x305
    case existentialMetatype = 0x306
    case extendedExistential = 0x307
    case fixedArray = 0x308
    /// The context of a closure, or a box without a type parameter of its own.
    case heapLocalVariable = 0x400
    /// A box (`swift_allocBox`).
    case heapGenericLocalVariable = 0x500
    case errorObject = 0x501
    case task = 0x502
    case job = 0x503
  }

  package static let lastKind: UInt64 = 0x7FF

  // Before every metadata record.
  package static let valueWitnessTable: Int = -8

  // Class metadata (TargetClassMetadata, without Objective-C).
  package static let classSuperclass = 8
  package static let classFlags = 16
  package static let classInstanceAddressPoint = 20
  package static let classInstanceSize = 24
  package static let classInstanceAlignmentMask = 28
  package static let classSize = 32
  package static let classAddressPoint = 36
  package static let classDescription = 40
  /// Where the generic arguments and field offsets of a class without resilient ancestors may begin.
  package static let classHeaderSize = 56

  // Struct and enum metadata (TargetValueMetadata).
  package static let valueDescription = 8
  package static let valueHeaderSize = 16

  // The generic arguments of struct and enum metadata follow its header; those of classes begin where the descriptor says.

  // Metadata that describes itself (TargetTupleTypeMetadata, TargetFunctionTypeMetadata, TargetExistentialTypeMetadata,
  // TargetMetatypeMetadata, TargetFixedArrayTypeMetadata).
  package static let tupleCount = 8
  package static let tupleLabels = 16
  package static let tupleElements = 24
  package static let tupleElementSize = 16
  package static let functionFlags = 8
  package static let functionResult = 16
  package static let functionParameters = 24
  package static let functionParameterCountMask: UInt64 = 0xFFFF
  package static let functionThrows: UInt64 = 0x0100_0000
  package static let functionHasParameterFlags: UInt64 = 0x0200_0000
  package static let functionIsAsync: UInt64 = 0x2000_0000
  package static let existentialFlags = 8
  package static let existentialProtocolCount = 12
  package static let existentialProtocols = 16
  /// Clear where the value must be an object.
  package static let existentialIsOpaque: UInt32 = 0x8000_0000
  package static let existentialHasSuperclass: UInt32 = 0x4000_0000
  package static let metatypeInstance = 8
  package static let fixedArrayCount = 8
  package static let fixedArrayElement = 16

  // Contexts of closures and boxes (HeapLocalVariableMetadata, GenericBoxHeapMetadata), of errors (SwiftError).
  package static let closureFirstCapture = 8
  package static let closureCaptureDescriptor = 16
  package static let boxedType = 16
  package static let errorPayloadType = 16

  // Capture descriptors (reflection::CaptureDescriptor): three counts, then relative pointers to type names.
  package static let captureTypeCount = 0
  package static let captureBindingCount = 8
  package static let captureDescriptorHeaderSize = 12

  // Heap objects (HeapObject).
  package static let heapObjectMetadata = 0
  package static let heapObjectReferenceCounts = 8
  package static let heapObjectHeaderSize = 16

  // The counts of references in an object's second word (RefCount.h).
  package static let referenceCountsPureSwift: UInt64 = 0x1
  package static let referenceCountsUnownedMask: UInt64 = 0x7FFF_FFFF << 1
  package static let referenceCountsIsDeinitializing: UInt64 = 1 << 32
  /// The word is a reference to a side table, which an object with weak references has.
  package static let referenceCountsHasSideTable: UInt64 = 1 << 63
  /// An eighth of its address.
  package static let referenceCountsSideTableMask: UInt64 = (1 << 62) - 1

  // Context descriptors (TargetContextDescriptor): flags, then relative pointers of 32 bits.
  package static let descriptorFlags = 0
  package static let descriptorParent = 4
  /// Name of a module or a nominal type.
  package static let descriptorName = 8
  package static let descriptorAccessor = 12
  package static let descriptorFields = 16

  /// What a context descriptor describes: the low five bits of its flags.
  package enum ContextKind: UInt32 {
    case module = 0
    case `extension` = 1
    case anonymous = 2
    case `protocol` = 3
    case opaqueType = 4
    case `class` = 16
    case `struct` = 17
    case `enum` = 18
  }

  // What follows a type's descriptor (TargetClassDescriptor, TargetStructDescriptor, TargetEnumDescriptor).
  package static let classDescriptorNegativeSize = 24
  package static let classDescriptorPositiveSize = 28
  package static let classDescriptorImmediateMembers = 32
  package static let classDescriptorSize = 44
  package static let valueDescriptorSize = 28
  /// An extension's generic header follows its descriptor without a prefix.
  package static let extensionDescriptorSize = 12
  /// Between the end of a type's descriptor and its generic header: two relative pointers for instantiation.
  package static let typeGenericHeaderPrefix = 8
  /// The counts of parameters, requirements, key arguments, and flags, of 16 bits each.
  package static let genericHeaderSize = 8
  package static let genericHasTypePacks: UInt16 = 0x1
  package static let genericParameterKindMask: UInt8 = 0x3F
  package static let genericParameterHasKeyArgument: UInt8 = 0x80
  package static let genericParameterIsType: UInt8 = 0
  package static let genericParameterIsValue: UInt8 = 2

  // Flags of a type's descriptor (TypeContextDescriptorFlags), in the upper half of the flags.
  package static let classIsActor: UInt32 = 1 << (16 + 7)
  package static let classHasResilientSuperclass: UInt32 = 1 << (16 + 13)
  package static let classMembersAreNegative: UInt32 = 1 << (16 + 12)
  package static let typeHasImportInfo: UInt32 = 1 << (16 + 2)
  package static let anonymousHasMangledName: UInt32 = 1 << 16

  package static let contextKindMask: UInt32 = 0x1F
  package static let contextIsUnique: UInt32 = 0x40
  package static let contextIsGeneric: UInt32 = 0x80

  // Value witness table (ValueWitnessTable): eight functions, then the layout.
  package static let witnessSize = 64
  package static let witnessStride = 72
  package static let witnessFlags = 80
  package static let witnessExtraInhabitants = 84
  package static let witnessAlignmentMask: UInt32 = 0xFF
  package static let witnessIsNonPOD: UInt32 = 0x0001_0000
  package static let witnessIsNonInline: UInt32 = 0x0002_0000
  package static let witnessIsNonBitwiseTakable: UInt32 = 0x0010_0000
  package static let witnessHasEnumWitnesses: UInt32 = 0x0020_0000
  package static let witnessIsNonCopyable: UInt32 = 0x0080_0000

  // Field descriptors (reflection::FieldDescriptor): the records follow the header.
  package static let fieldDescriptorRecordSize = 10
  package static let fieldDescriptorRecordCount = 12
  package static let fieldDescriptorHeaderSize = 16
  package static let fieldRecordFlags = 0
  package static let fieldRecordTypeName = 4
  package static let fieldRecordName = 8
  package static let fieldRecordIsIndirectCase: UInt32 = 0x1
  package static let fieldRecordIsVar: UInt32 = 0x2
  package static let fieldRecordIsArtificial: UInt32 = 0x4

  // What follows the field descriptor in the descriptors of structs, enums and classes.
  package static let structDescriptorFieldCount = 20
  /// The low 24 bits: how many cases have a payload.
  package static let enumDescriptorPayloadCases = 20
  package static let enumDescriptorEmptyCases = 24
  package static let enumPayloadCaseMask: UInt32 = 0x00FF_FFFF
  package static let classDescriptorFieldCount = 36
  package static let fieldRecordSize = 12

  // Types made of other types.
  /// The one generic argument of an optional.
  package static let optionalWrappedType = 16
  package static let existentialSpecialMask: UInt32 = 0x3F00_0000
  package static let existentialIsError: UInt32 = 0x0100_0000
  /// The shape of an extended existential, with its special kind in the low byte of its flags.
  package static let extendedExistentialShape = 8
  package static let extendedExistentialKindMask: UInt32 = 0xFF
  /// An existential container keeps three words of the value, then its type.
  package static let existentialValueType = 24

  // Reference counts (InlineRefCountBits): a static object, and a side table.
  package static let immortalLowWord: UInt32 = 0xFFFF_FFFF
  /// The low word of an object on the heap that no `unowned` reference refers to.
  package static let plainHeapLowWord: UInt32 = 3
  package static let hasSideTable: UInt64 = 3 << 62

  // What readers of declarations need besides.

  // Classes, structs and enums (TargetClassDescriptor, TargetStructDescriptor, TargetEnumDescriptor).
  package static let classDescriptorSuperclass = 20
  package static let classDescriptorFieldOffsets = 40
  package static let structDescriptorFieldOffsets = 24

  /// How metadata comes about (TypeContextDescriptorFlags): anything but 0 says that it is completed when it is first used.
  package static let typeMetadataInitializationMask: UInt32 = 0x3 << 16

  // Generic requirements (TargetGenericRequirementDescriptor).
  package static let requirementSize = 12
  package static let requirementParameter = 4
  package static let requirementSubject = 8
  /// Which protocols an inverted requirement is about, behind the number of the parameter.
  package static let requirementInvertedProtocols = 10
  package static let requirementKindMask: UInt32 = 0x1F

  /// What a requirement asks for.
  package enum RequirementKind: UInt32 {
    case conformance = 0
    case sameType = 1
    case superclass = 2
    case sameConformance = 3
    case sameShape = 4
    case inverted = 5
    case layout = 0x1F
  }

  // Protocols (TargetProtocolDescriptor): the requirements of its signature follow, then its own.
  package static let protocolSignatureCount = 12
  package static let protocolRequirementCount = 16
  package static let protocolAssociatedTypeNames = 20
  package static let protocolDescriptorSize = 24
  package static let protocolRequirementSize = 8
  package static let protocolRequirementKindMask: UInt32 = 0xF
  /// Set in the upper half of the flags where values need not be objects (ProtocolContextDescriptorFlags).
  package static let protocolHasNoClassConstraint: UInt32 = 1 << 16

  // Conformances (TargetProtocolConformanceDescriptor).
  package static let conformanceProtocol = 0
  package static let conformanceType = 4
  package static let conformanceFlags = 12
  package static let conformanceDescriptorSize = 16
  package static let conformanceTypeKindShift: UInt32 = 3
  package static let conformanceTypeKindMask: UInt32 = 0x7
  package static let conformanceIsRetroactive: UInt32 = 1 << 6
  package static let conformanceRequirementCountShift: UInt32 = 8

  // Where types are listed in sections (TargetTypeMetadataRecord, TargetProtocolRecord): the low bits say how.
  package static let recordKindMask: Int32 = 0x3
  package static let recordIsIndirect: Int32 = 0x1

  // The tables behind a class's descriptor (TargetVTableDescriptorHeader, TargetMethodDescriptor,
  // TargetOverrideTableHeader, TargetMethodOverrideDescriptor), and what comes before them.
  package static let classHasMethodTable: UInt32 = 1 << (16 + 15)
  package static let classHasOverrideTable: UInt32 = 1 << (16 + 14)
  package static let methodTableCount = 4
  package static let methodTableHeaderSize = 8
  package static let methodDescriptorSize = 8
  package static let methodImplementation = 4
  package static let overrideTableHeaderSize = 4
  package static let overrideDescriptorSize = 12
  package static let overrideImplementation = 8
  package static let resilientSuperclassSize = 4
  package static let typeHasSingletonInitialization: UInt32 = 1 << 16
  package static let singletonInitializationSize = 12

  /// Set in the witnesses' flags as long as a type's layout is being worked out (ValueWitnessFlags::IsIncomplete).
  package static let witnessIsIncomplete: UInt32 = 0x0040_0000

  // Opaque types (TargetOpaqueTypeDescriptor): the generic header follows the context's own.
  package static let opaqueGenericHeader = 8
}
