import ProcessMemory

/// Reads generic signatures and requirements.
package struct RequirementReader {
  private let names: TypeNameReader
  private var reader: MetadataReader { names.reader }

  /// More than any real type has.
  private static let maximumCount = 1024
  /// Deeper than types nest.
  private static let maximumNesting = 32

  package init(_ names: TypeNameReader) { self.names = names }

  /// The signature of a class, struct or enum; an empty one where it is not generic.
  package func signature(ofType descriptor: UInt64) -> GenericSignature {
    guard let flags = reader.half(descriptor), flags & MetadataLayout.contextIsGeneric != 0 else {
      return GenericSignature()
    }
    guard let start = headerOffset(flags), let parameterCount = reader.quarter(descriptor, start),
      let requirementCount = reader.quarter(descriptor, start + 2), parameterCount <= Self.maximumCount,
      let first = MetadataReader.offset(descriptor, by: Int64(start + MetadataLayout.genericHeaderSize))
    else { return GenericSignature(isComplete: false) }
    let kinds = reader.memory.bytes(first, count: Int(parameterCount))
    guard kinds.count == Int(parameterCount) else { return GenericSignature(isComplete: false) }
    // Parameters are numbered within the type that declares them; the type around this one has the first ones.
    let outer = parameterCounts(around: descriptor)
    var signature = GenericSignature()
    signature.parameters = kinds.indices.map { Self.parameterName($0, outer) }
    for (index, kind) in kinds.enumerated()
    where kind & MetadataLayout.genericParameterKindMask == MetadataLayout.genericParameterIsValue {
      signature.parameters[index] = "let \(signature.parameters[index]): Swift.Int"
    }
    for (index, kind) in kinds.enumerated() where kind & MetadataLayout.genericParameterKindMask == 1 {
      signature.parameters[index] = "each \(signature.parameters[index])"
    }
    // Requirements are aligned to four bytes behind the parameters' bytes.
    let requirements = first &+ UInt64((kinds.count + 3) & ~3)
    (signature.requirements, signature.isComplete) = read(requirements, count: Int(requirementCount))
    return signature
  }

  /// What is asked of the type that an opaque type's descriptor hides: `Shop.Named`.
  package func opaqueType(_ descriptor: UInt64) -> [String] {
    let start = MetadataLayout.opaqueGenericHeader
    guard reader.contextKind(descriptor) == .opaqueType, let parameters = reader.quarter(descriptor, start),
      let count = reader.quarter(descriptor, start + 2), parameters <= Self.maximumCount,
      let first = MetadataReader.offset(descriptor, by: Int64(start + MetadataLayout.genericHeaderSize))
    else { return [] }
    let found = read(first &+ UInt64((Int(parameters) + 3) & ~3), count: Int(count)).0
    // The hidden type is the parameter of the innermost depth; those around it are the function's.
    let depth = found.map { Self.depth($0.parameter) }.max() ?? 0
    return found.filter { Self.depth($0.parameter) == depth && $0.relation == ":" }.map(\.subject)
  }

  /// 1 for `A1`; less than any for what belongs to a parameter, `A.Element`.
  private static func depth(_ parameter: String) -> Int {
    parameter.contains(".") ? -1 : Int(parameter.drop { !$0.isNumber }) ?? 0
  }

  /// So many requirements from an address on, and whether each could be read.
  package func read(_ address: UInt64, count: Int) -> ([GenericRequirement], isComplete: Bool) {
    guard count <= Self.maximumCount else { return ([], false) }
    let found = (0..<count).map { requirement(at: address &+ UInt64($0 * MetadataLayout.requirementSize)) }
    return (found.compactMap(\.self), !found.contains(nil))
  }

  private func requirement(at address: UInt64) -> GenericRequirement? {
    guard let flags = reader.half(address),
      let kind = MetadataLayout.RequirementKind(rawValue: flags & MetadataLayout.requirementKindMask),
      let parameter = reader.relative(address, MetadataLayout.requirementParameter).flatMap(names.name(ofMangling:))
    else { return nil }
    let field = MetadataLayout.requirementSubject
    switch kind {
    case .conformance:
      return protocolName(address, field).map { GenericRequirement(parameter, ":", $0) }
    case .sameType, .sameShape:
      return reader.relative(address, field).flatMap(names.name(ofMangling:))
        .map { GenericRequirement(parameter, "==", $0) }
    case .superclass:
      return reader.relative(address, field).flatMap(names.name(ofMangling:))
        .map { GenericRequirement(parameter, ":", $0) }
    case .layout: return GenericRequirement(parameter, ":", "Swift.AnyObject")
    case .inverted:
      let subjects = Self.inverted(reader.quarter(address, MetadataLayout.requirementInvertedProtocols) ?? 0)
      return subjects.isEmpty ? nil : GenericRequirement(parameter, ":", subjects.joined(separator: " & "))
    case .sameConformance: return nil
    }
  }

  /// The protocols that a parameter need not conform to, by their bits (InvertibleProtocols.def).
  private static func inverted(_ set: UInt16) -> [String] {
    var names: [String] = []
    if set & 1 != 0 { names.append("~Swift.Copyable") }
    if set & 2 != 0 { names.append("~Swift.Escapable") }
    return names
  }

  /// The second lowest bit of a reference to a protocol marks those of Objective-C, of which there are none here.
  private func protocolName(_ address: UInt64, _ field: Int) -> String? {
    reader.relativeIndirectable(address, field).flatMap { names.name(ofContext: $0 & ~2) }
  }

  private func headerOffset(_ flags: UInt32) -> Int? {
    switch MetadataLayout.ContextKind(rawValue: flags & MetadataLayout.contextKindMask) {
    case .class: MetadataLayout.classDescriptorSize + MetadataLayout.typeGenericHeaderPrefix
    case .struct, .enum: MetadataLayout.valueDescriptorSize + MetadataLayout.typeGenericHeaderPrefix
    default: nil
    }
  }

  /// The signature of the nearest generic type around one.
  package func signature(around descriptor: UInt64) -> GenericSignature {
    var current = descriptor
    for _ in 0..<Self.maximumNesting {
      guard let parent = reader.relativeIndirectable(current, MetadataLayout.descriptorParent) else { break }
      current = parent
      let signature = signature(ofType: parent)
      if !signature.parameters.isEmpty { return signature }
    }
    return GenericSignature()
  }

  /// How many parameters the generic types around one have, the outermost first, each with those around it.
  private func parameterCounts(around descriptor: UInt64) -> [Int] {
    var counts: [Int] = []
    var current = descriptor
    for _ in 0..<Self.maximumNesting {
      guard let parent = reader.relativeIndirectable(current, MetadataLayout.descriptorParent) else { break }
      current = parent
      guard let flags = reader.half(parent), flags & MetadataLayout.contextIsGeneric != 0,
        let start = headerOffset(flags), let count = reader.quarter(parent, start)
      else { continue }
      counts.append(Int(count))
    }
    return counts.reversed()
  }

  /// `A`, `B` for those of the outermost type, `A1`, `B1` for those of the next.
  private static func parameterName(_ index: Int, _ outer: [Int]) -> String {
    let depth = outer.count { $0 <= index }
    let place = index - (outer.last { $0 <= index } ?? 0)
    return name(place) + (depth == 0 ? "" : String(depth))
  }

  /// Letters in the manner of the demangler: the least significant first.
  private static func name(_ index: Int) -> String {
    var name = ""
    var rest = index
    repeat {
      name.unicodeScalars.append(Unicode.Scalar(UInt8(0x41 + rest % 26)))
      rest /= 26
    } while rest > 0
    return name
  }
}
