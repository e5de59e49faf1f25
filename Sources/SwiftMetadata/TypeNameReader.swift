import ProcessMemory
import Symbolication

/// Names the types of a process from their metadata, generic arguments and all, whether or not it has symbols.
///
/// Names are as Swift's demangler writes them, with the module (`Shop.Session`, `[Swift.Int]`), without the marks of private
/// types and without addresses: `Swift._DictionaryStorage<Swift.Int, Shop.Session>`. Each is made once. Not to be shared
/// between threads.
package final class TypeNameReader {
  package let reader: MetadataReader
  private var names: [UInt64: String] = [:]
  private var contexts: [UInt64: ContextName] = [:]

  /// Types nest in types; what nests deeper than this is not metadata.
  private static let maximumDepth = 32

  package init(_ reader: MetadataReader) { self.reader = reader }

  /// A descriptor's name, and where its generic parameters come in.
  struct ContextName {
    /// The names from the module inwards, each with how many generic parameters are known from there on.
    var parts: [(name: String, parameterCount: Int)]

    var plain: String { parts.map(\.name).joined(separator: ".") }

    /// The name with arguments put where their parameters are.
    func applied(to arguments: [String]) -> String {
      var used = 0
      return parts.map { part in
        // A type inside another has all the parameters of that one too, and comes after it.
        let end = max(used, min(part.parameterCount, arguments.count))
        let own = arguments[used..<end]
        used = end
        return own.isEmpty ? part.name : part.name + "<" + own.joined(separator: ", ") + ">"
      }.joined(separator: ".")
    }
  }

  /// The name of a type; `nil` where the address leads to no metadata, or to some that says nothing of its type.
  package func name(ofType metadata: UInt64) -> String? { name(metadata, depth: 0).map(TypeSugar.applied) }

  /// The name of a type's descriptor, without generic arguments.
  package func name(ofContext descriptor: UInt64) -> String? { context(descriptor, depth: 0)?.plain }

  /// The name of a type from its symbolic mangled name: of a field, or of what a closure has captured.
  package func name(ofMangling address: UInt64) -> String? {
    name(mangling: address, depth: 0).map(TypeSugar.applied)
  }

  // MARK: - Metadata

  private func name(_ metadata: UInt64, depth: Int) -> String? {
    if let known = names[metadata] { return known }
    guard depth < Self.maximumDepth, let kind = reader.kind(metadata), let name = make(metadata, kind, depth: depth)
    else { return nil }
    names[metadata] = name
    return name
  }

  private func make(_ metadata: UInt64, _ kind: MetadataLayout.Kind, depth: Int) -> String? {
    switch kind {
    case .class, .struct, .enum, .optional, .foreignClass, .foreignReferenceType:
      return nominal(metadata, kind, depth: depth)
    case .tuple: return tuple(metadata, depth: depth)
    case .function: return function(metadata, depth: depth)
    case .existential: return existential(metadata, depth: depth)
    case .metatype, .existentialMetatype:
      return reader.word(metadata, MetadataLayout.metatypeInstance).flatMap { name($0, depth: depth + 1) }
        .map { kind == .metatype ? "\($0).Type" : "any \($0.droppingAny).Type" }
    case .fixedArray:
      guard let count = reader.word(metadata, MetadataLayout.fixedArrayCount),
        let element = reader.word(metadata, MetadataLayout.fixedArrayElement).flatMap({ name($0, depth: depth + 1) })
      else { return nil }
      return "Builtin.FixedArray<\(Int64(bitPattern: count)), \(element)>"
    case .extendedExistential: return "any (a constrained existential)"
    case .opaque: return "Builtin type of \(reader.stride(of: metadata).map(String.init) ?? "unknown") bytes"
    case .objectiveCClassWrapper, .heapLocalVariable, .heapGenericLocalVariable, .errorObject, .task, .job: return nil
    }
  }

  private func nominal(_ metadata: UInt64, _ kind: MetadataLayout.Kind, depth: Int) -> String? {
    guard let descriptor = reader.descriptor(of: metadata, kind), let context = context(descriptor, depth: depth) else {
      return nil
    }
    let arguments = genericArguments(of: metadata, kind, descriptor)
      .map { argument in
        switch argument {
        case .type(let address): name(address, depth: depth + 1) ?? "_"
        case .value(let number): String(number)
        case .pack: "_"
        }
      }
    return context.applied(to: arguments)
  }

  /// An argument that metadata carries for a generic parameter.
  package enum GenericArgument: Hashable, Sendable {
    case type(UInt64)
    case value(Int64)
    case pack
  }

  /// The arguments for the generic parameters of a type, those of the types around it first.
  package func genericArguments(
    of metadata: UInt64, _ kind: MetadataLayout.Kind, _ descriptor: UInt64
  ) -> [GenericArgument] {
    guard let flags = reader.half(descriptor), flags & MetadataLayout.contextIsGeneric != 0,
      let header = genericHeader(of: descriptor, flags), let start = argumentOffset(kind, descriptor, flags)
    else { return [] }
    var arguments: [GenericArgument] = []
    // The shapes of packs come before the arguments; they are passed over as a whole by not reading such types.
    guard header.flags & MetadataLayout.genericHasTypePacks == 0 else {
      return header.parameters.map { _ in .pack }
    }
    var field = start
    for parameter in header.parameters {
      guard parameter & MetadataLayout.genericParameterHasKeyArgument != 0, let word = reader.word(metadata, field)
      else {
        arguments.append(.pack)
        continue
      }
      field += MetadataLayout.wordSize
      switch parameter & MetadataLayout.genericParameterKindMask {
      case MetadataLayout.genericParameterIsType: arguments.append(.type(word))
      case MetadataLayout.genericParameterIsValue: arguments.append(.value(Int64(bitPattern: word)))
      default: arguments.append(.pack)
      }
    }
    return arguments
  }

  private func genericHeader(of descriptor: UInt64, _ flags: UInt32) -> (parameters: [UInt8], flags: UInt16)? {
    let kind = MetadataLayout.ContextKind(rawValue: flags & MetadataLayout.contextKindMask)
    let size: Int
    switch kind {
    case .class: size = MetadataLayout.classDescriptorSize
    case .struct, .enum: size = MetadataLayout.valueDescriptorSize
    default: return nil
    }
    let start = size + MetadataLayout.typeGenericHeaderPrefix
    guard let count = reader.quarter(descriptor, start), count <= 256,
      let genericFlags = reader.quarter(descriptor, start + 6),
      let parameters = MetadataReader.offset(descriptor, by: Int64(start + MetadataLayout.genericHeaderSize))
    else { return nil }
    let bytes = reader.memory.bytes(parameters, count: Int(count))
    return bytes.count == Int(count) ? (bytes, genericFlags) : nil
  }

  /// Where in the metadata the arguments begin, in bytes.
  private func argumentOffset(_ kind: MetadataLayout.Kind, _ descriptor: UInt64, _ flags: UInt32) -> Int? {
    guard kind == .class else { return MetadataLayout.valueHeaderSize }
    if flags & MetadataLayout.classHasResilientSuperclass != 0 {
      // The bounds are computed when the class is first used, and stand where the descriptor points.
      guard let bounds = reader.relative(descriptor, MetadataLayout.classDescriptorNegativeSize),
        let offset = reader.word(bounds).map(Int64.init(bitPattern:)), (0..<65_536).contains(offset)
      else { return nil }
      return Int(offset)
    }
    guard let members = reader.half(descriptor, MetadataLayout.classDescriptorImmediateMembers) else { return nil }
    if flags & MetadataLayout.classMembersAreNegative != 0 {
      guard let size = reader.half(descriptor, MetadataLayout.classDescriptorNegativeSize), size < 65_536 else {
        return nil
      }
      return -Int(size) * MetadataLayout.wordSize
    }
    guard let size = reader.half(descriptor, MetadataLayout.classDescriptorPositiveSize), size < 65_536,
      members <= size
    else { return nil }
    return Int(size - members) * MetadataLayout.wordSize
  }

  private func tuple(_ metadata: UInt64, depth: Int) -> String? {
    guard let count = reader.word(metadata, MetadataLayout.tupleCount), count <= 1024 else { return nil }
    let labels =
      reader.word(metadata, MetadataLayout.tupleLabels).flatMap { $0 == 0 ? nil : reader.name($0) }?
      .split(separator: " ", omittingEmptySubsequences: false) ?? []
    let elements = (0..<Int(count)).map { index -> String in
      let field = MetadataLayout.tupleElements + index * MetadataLayout.tupleElementSize
      let type = reader.word(metadata, field).flatMap { name($0, depth: depth + 1) } ?? "_"
      return index < labels.count && !labels[index].isEmpty ? "\(labels[index]): \(type)" : type
    }
    return "(" + elements.joined(separator: ", ") + ")"
  }

  private func function(_ metadata: UInt64, depth: Int) -> String? {
    guard let flags = reader.word(metadata, MetadataLayout.functionFlags),
      let result = reader.word(metadata, MetadataLayout.functionResult)
    else { return nil }
    let count = Int(flags & MetadataLayout.functionParameterCountMask)
    guard count <= 256 else { return nil }
    let parameters = (0..<count).map { index -> String in
      let field = MetadataLayout.functionParameters + index * MetadataLayout.wordSize
      return reader.word(metadata, field).flatMap { name($0, depth: depth + 1) } ?? "_"
    }
    let effects =
      (flags & MetadataLayout.functionIsAsync != 0 ? " async" : "")
      + (flags & MetadataLayout.functionThrows != 0 ? " throws" : "")
    return "(" + parameters.joined(separator: ", ") + ")\(effects) -> " + (name(result, depth: depth + 1) ?? "_")
  }

  private func existential(_ metadata: UInt64, depth: Int) -> String? {
    guard let flags = reader.half(metadata, MetadataLayout.existentialFlags),
      let count = reader.half(metadata, MetadataLayout.existentialProtocolCount), count <= 64
    else { return nil }
    var parts: [String] = []
    var field = MetadataLayout.existentialProtocols
    if flags & MetadataLayout.existentialHasSuperclass != 0 {
      parts.append(reader.word(metadata, field).flatMap { name($0, depth: depth + 1) } ?? "_")
      field += MetadataLayout.wordSize
    }
    for _ in 0..<count {
      // The lowest bit marks protocols of Objective-C, of which there are none here.
      parts.append(reader.word(metadata, field).flatMap { context($0 & ~1, depth: depth + 1)?.plain } ?? "_")
      field += MetadataLayout.wordSize
    }
    guard !parts.isEmpty else {
      return flags & MetadataLayout.existentialIsOpaque != 0 ? "Any" : "Swift.AnyObject"
    }
    return "any " + parts.joined(separator: " & ")
  }

  // MARK: - Descriptors

  private func context(_ descriptor: UInt64, depth: Int) -> ContextName? {
    if let known = contexts[descriptor] { return known }
    if let symbol = reader.importedSymbol(at: descriptor) {
      let name = ImportedDescriptor(symbol).map { ContextName(parts: [($0.name, 0)]) }
      contexts[descriptor] = name
      return name
    }
    guard depth < Self.maximumDepth, let flags = reader.half(descriptor),
      let kind = MetadataLayout.ContextKind(rawValue: flags & MetadataLayout.contextKindMask),
      let name = make(descriptor, kind, flags, depth: depth)
    else { return nil }
    contexts[descriptor] = name
    return name
  }

  private func make(
    _ descriptor: UInt64, _ kind: MetadataLayout.ContextKind, _ flags: UInt32, depth: Int
  ) -> ContextName? {
    let parent = reader.relativeIndirectable(descriptor, MetadataLayout.descriptorParent)
    switch kind {
    case .module:
      return reader.relative(descriptor, MetadataLayout.descriptorName).flatMap(reader.name)
        .map { ContextName(parts: [($0, 0)]) }
    case .anonymous:
      // Private types and those of functions: the mark of the file, or the function, is no part of a name to read.
      return parent.flatMap { context($0, depth: depth + 1) }
    case .extension:
      guard let extended = reader.relative(descriptor, MetadataLayout.descriptorName),
        let name = name(mangling: extended, depth: depth + 1)
      else { return parent.flatMap { context($0, depth: depth + 1) } }
      // The parameters of the extended type are named there, as `Mutex<A>`; their arguments are known.
      let isGeneric = flags & MetadataLayout.contextIsGeneric != 0
      let count = isGeneric ? reader.quarter(descriptor, MetadataLayout.extensionDescriptorSize) ?? 0 : 0
      return ContextName(parts: [(String(name.prefix { $0 != "<" }), Int(min(count, 256)))])
    case .protocol, .class, .struct, .enum:
      guard let name = reader.relative(descriptor, MetadataLayout.descriptorName).flatMap(reader.name),
        name.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
      else { return nil }
      var parts = parent.flatMap { context($0, depth: depth + 1) }?.parts ?? []
      let isGeneric = flags & MetadataLayout.contextIsGeneric != 0
      let count = isGeneric ? genericHeader(of: descriptor, flags)?.parameters.count ?? 0 : 0
      parts.append((name, count))
      return ContextName(parts: parts)
    case .opaqueType: return nil
    }
  }

  private func name(mangling address: UInt64, depth: Int) -> String? {
    guard depth < Self.maximumDepth, let symbolic = SymbolicName(at: address, reader) else { return nil }
    guard var text = Demangler.demangledType(symbolic.mangling) else { return nil }
    // From the last to the first, so that the name of number 1 is not taken for the front of number 12's.
    for (index, descriptor) in symbolic.descriptors.enumerated().reversed() {
      let name = context(descriptor, depth: depth + 1)?.plain ?? "_"
      text = text.replacing(SymbolicName.placeholder(index), with: name)
    }
    return text
  }
}

extension String {
  fileprivate var droppingAny: Substring { hasPrefix("any ") ? dropFirst(4) : self[...] }
}
