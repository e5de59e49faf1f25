// Floor 3, in process: how a plan is made of metadata and reflection records.
import CSwiftRuntime

extension TypePlan {
  func makeShape() -> Shape {
    switch metadata.kind {
    case .struct: structure()
    case .class: .object(objectFields())
    case .tuple: .tuple(runtimeFields().map { field($0, record: nil, owner: nil) })
    case .enum: enumeration()
    case .optional:
      metadata.type(at: MetadataLayout.optionalWrappedType).map { .optional(TypePlan.of($0)) } ?? .opaque
    case .fixedArray: fixedArray()
    case .existential: .existential(existentialKind())
    case .extendedExistential: extendedExistential()
    case .metatype: metatype()
    case .existentialMetatype: .existentialMetatype
    case .function: .function
    default: .opaque
    }
  }

  // MARK: Fields

  /// A field as the runtime sees it.
  private struct RuntimeField {
    var type: TypeMetadata?
    var name: String
    var offset: Int
    var isVariable: Bool
  }

  /// All stored fields, those of superclasses first.
  private func runtimeFields() -> [RuntimeField] {
    (0..<max(0, csr_field_count(metadata.pointer))).map { index in
      var found = csr_field()
      csr_field(metadata.pointer, index, &found)
      defer { if let name = found.name { found.free_name?(name) } }
      return RuntimeField(
        type: found.type.map(TypeMetadata.init(pointer:)), name: found.name.map { String(cString: $0) } ?? "",
        offset: found.offset, isVariable: found.is_var != 0)
    }
  }

  private func structure() -> Shape {
    let records = FieldRecords(metadata)
    let fields = runtimeFields()
    if fields.isEmpty, metadata.size > 0 {
      if module == "__C" { return .foreign }
      if records.isStripped { return .stripped }
    }
    return .structure(fields.enumerated().map { field($1, record: records.record($0), owner: nil) })
  }

  /// The fields of the class itself first, then those of the class above it, and so on.
  private func objectFields() -> [FieldPlan] {
    var chain: [TypeMetadata] = []
    var next: TypeMetadata? = metadata
    while let metadata = next {
      chain.append(metadata)
      next = metadata.superclass
    }
    let found = runtimeFields()
    var groups: [[FieldPlan]] = []
    var start = 0
    for ancestor in chain.reversed() {
      let records = FieldRecords(ancestor)
      let end = min(start + records.count, found.count)
      let owner = ancestor == metadata ? nil : TypePlan.of(ancestor)
      let isObserved = found[start..<end].contains { $0.name == "_$observationRegistrar" }
      groups.append(
        found[start..<end].enumerated().map {
          field($1, record: records.record($0), owner: owner, isObserved: isObserved)
        })
      start = end
    }
    return Array(groups.reversed().joined())
  }

  /// The modules that were built without the records of this type's fields.
  package var strippedModules: [String] {
    var modules: [String] = []
    var next: TypeMetadata? = metadata
    while let metadata = next {
      let module = String(TypePlan.of(metadata).module)
      if FieldRecords(metadata).isStripped, !modules.contains(module) { modules.append(module) }
      next = metadata.superclass
    }
    return modules
  }

  private func field(
    _ found: RuntimeField, record: FieldRecords.Record?, owner: TypePlan?, isObserved: Bool = false
  ) -> FieldPlan {
    var type = found.type.map { TypePlan.of($0) }
    // The runtime answers with an empty tuple for what it cannot show: a type without copies, or a name it cannot read.
    var isNoncopyable = false
    if let mangled = record?.typeName, type?.metadata == TypeMetadata(Void.self), !mangled.isVoid {
      type = mangled.resolved(context: metadata.descriptor).map { TypePlan.of($0) }
      isNoncopyable = mangled.isAccessor && type?.metadata == TypeMetadata(Void.self)
      if isNoncopyable { type = nil }
    }
    let (name, storage) = Self.declared(found.name, type, isObserved: isObserved)
    return FieldPlan(
      name: name, storageName: found.name, storage: storage, isVariable: found.isVariable,
      ownership: record?.typeName?.ownership ?? .strong, offset: found.offset, type: type,
      isNoncopyable: isNoncopyable, owner: owner)
  }

  /// What the source calls a field, by the names that the compiler gives to storage.
  private static func declared(
    _ name: String, _ type: TypePlan?, isObserved: Bool
  ) -> (String, FieldPlan.Storage) {
    let lazyPrefix = "$__lazy_storage_$_"
    if name.hasPrefix(lazyPrefix) { return (String(name.dropFirst(lazyPrefix.count)), .lazy) }
    if name.hasPrefix("_$") || name == "$defaultActor" { return (name, .hidden) }
    guard name.hasPrefix("_"), name.utf8.count > 1 else { return (name, .plain) }
    if isObserved { return (String(name.dropFirst()), .plain) }
    if let type, type.wrappedField != nil { return (String(name.dropFirst()), .wrapper) }
    return (name, .plain)
  }

  /// The stored `wrappedValue` of a property wrapper. One that computes it shows no sign of being a wrapper.
  package var wrappedField: FieldPlan? {
    guard metadata.kind == .struct, module != "Swift", case .structure(let fields) = shape else { return nil }
    return fields.first { $0.storageName == "wrappedValue" }
  }

  // MARK: Other shapes

  private func enumeration() -> Shape {
    let records = FieldRecords(metadata)
    if module == "__C" { return .foreign }
    if records.isStripped { return .stripped }
    let arguments = metadata.pointer + MetadataLayout.valueHeaderSize
    return .enumeration(
      (0..<records.count).map { index in
        guard let record = records.record(index) else {
          return CasePlan(name: "", payload: .none, isIndirect: false)
        }
        let payload: CasePlan.Payload =
          record.typeName.map { name in
            name.resolved(context: metadata.descriptor, arguments: arguments).map { .value(TypePlan.of($0)) }
              ?? .unresolved
          } ?? .none
        return CasePlan(name: record.name, payload: payload, isIndirect: record.isIndirectCase)
      })
  }

  private func fixedArray() -> Shape {
    guard let element = metadata.type(at: MetadataLayout.fixedArrayElement) else { return .opaque }
    let count = metadata.pointer.load(fromByteOffset: MetadataLayout.fixedArrayCount, as: Int.self)
    return .fixedArray(count: max(0, count), element: TypePlan.of(element))
  }

  private func existentialKind() -> ExistentialKind {
    let flags = metadata.pointer.load(fromByteOffset: MetadataLayout.existentialFlags, as: UInt32.self)
    if flags & MetadataLayout.existentialSpecialMask == MetadataLayout.existentialIsError { return .error }
    return flags & MetadataLayout.existentialIsOpaque == 0 ? .object : .opaque
  }

  private func extendedExistential() -> Shape {
    guard let shape = metadata.type(at: MetadataLayout.extendedExistentialShape) else { return .opaque }
    switch shape.pointer.load(as: UInt32.self) & MetadataLayout.extendedExistentialKindMask {
    case 0: return .existential(.opaque)
    case 1: return .existential(.object)
    case 2: return .existentialMetatype
    default: return .opaque
    }
  }

  private func metatype() -> Shape {
    guard let instance = metadata.type(at: MetadataLayout.metatypeInstance) else { return .opaque }
    // Only classes have subtypes; of any other type there is one metatype, which takes no space.
    return .metatype(instance.kind == .class ? nil : TypePlan.of(instance))
  }
}
