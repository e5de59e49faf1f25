import SwiftMetadata

/// Puts stored properties together from reflection records, symbols and offsets.
struct FieldAssembly {
  private let spelling: TypeSpelling
  private let members: FoundMembers
  private let layout: LayoutReader
  private let records: DescribedFields

  init(_ spelling: TypeSpelling, _ members: FoundMembers, _ layout: LayoutReader, _ records: DescribedFields) {
    (self.spelling, self.members, self.layout, self.records) = (spelling, members, layout, records)
  }

  /// Adds the stored properties, and takes their accessors from the other members.
  func fill(_ interface: inout TypeInterface) {
    var hidden: Set<String> = []
    for (index, record) in records.fields.enumerated() {
      // What a default actor keeps for itself.
      if record.isArtificial, record.name.hasPrefix("$defaultActor") || record.name.hasPrefix("$") && !isLazy(record) {
        continue
      }
      interface.storedProperties.append(property(record, index, interface, &hidden))
    }
    if records.fields.isEmpty { addSymbols(to: &interface, &hidden) }
    interface.members.removeAll { $0.kind == .property && !$0.isStatic && hidden.contains($0.name) }
  }

  private func property(
    _ record: DescribedField, _ index: Int, _ interface: TypeInterface, _ hidden: inout Set<String>
  ) -> StoredProperty {
    let symbol = members.fieldSymbols[record.name]
    var property = StoredProperty(name: record.name, isVariable: record.isVariable)
    var type = record.type ?? symbol?.type
    property.isPrivate = symbol?.isPrivate ?? isPrivate(record.name, interface)
    property.offset = layout.offset(index, symbol: symbol?.address)
    if let known = type { (property.reference, type) = Self.reference(known) }
    property.size = type.flatMap { FieldSize.of($0, property.reference) }
    if isLazy(record) {
      property.name = String(record.name.dropFirst(Self.lazyPrefix.count))
      property.isLazy = true
      // The storage is empty until the first use, which makes it an optional of the type.
      if let known = type, known.hasSuffix("?") { type = String(known.dropLast()) }
      property.isPrivate = isPrivate(property.name, interface)
    }
    property.type = type.map(spelling.type)
    hidden.insert(property.name)
    if let wrapped = wrapped(record, interface) {
      property.wrapper = property.type
      property.name = wrapped.name
      property.type = wrapped.type
      property.isVariable = true
      property.isPrivate = wrapped.isPrivate
      hidden.formUnion([wrapped.name, "$" + wrapped.name])
    }
    return property
  }

  private static let lazyPrefix = "$__lazy_storage_$_"

  private func isLazy(_ record: DescribedField) -> Bool { record.name.hasPrefix(Self.lazyPrefix) }

  /// The property whose storage a field is: the compiler calls it by the name with an underscore. A programmer may as well,
  /// so that a mark of the compiler's is asked for.
  private func wrapped(_ record: DescribedField, _ interface: TypeInterface) -> InterfaceMember? {
    guard record.name.hasPrefix("_") else { return nil }
    let name = String(record.name.dropFirst())
    guard record.isArtificial || members.wrapped.contains(name) else { return nil }
    return interface.members.first { $0.kind == .property && !$0.isStatic && $0.name == name }
  }

  private func isPrivate(_ name: String, _ interface: TypeInterface) -> Bool {
    interface.members.first { $0.kind == .property && !$0.isStatic && $0.name == name }?.isPrivate ?? false
  }

  /// `weak Shop.Order?` as its kind and `Shop.Order?`.
  private static func reference(_ type: String) -> (StoredProperty.Reference?, String) {
    for (word, reference) in [
      ("weak ", StoredProperty.Reference.weak), ("unowned(unsafe) ", .unmanaged), ("unowned ", .unowned),
      ("unmanaged ", .unmanaged),
    ] where type.hasPrefix(word) {
      return (reference, String(type.dropFirst(word.utf8.count)))
    }
    return (nil, type)
  }

  /// Without reflection records: what the symbols of offsets name, in the order of the object.
  private func addSymbols(to interface: inout TypeInterface, _ hidden: inout Set<String>) {
    var found = members.fieldSymbols.map { name, symbol in
      StoredProperty(
        name: name, type: spelling.type(symbol.type), isPrivate: symbol.isPrivate,
        offset: layout.offset(-1, symbol: symbol.address))
    }
    found.sort { ($0.offset ?? .max, $0.name) < ($1.offset ?? .max, $1.name) }
    hidden.formUnion(found.map(\.name))
    interface.storedProperties = found
  }
}
