// Puts a declaration together from the descriptor, the conformances and the symbols of a type.

import SwiftMetadata
import Symbolication

/// Builds the declarations of one source.
struct InterfaceBuilder {
  let source: InterfaceSource
  let options: InterfaceOptions

  init(_ source: InterfaceSource, _ options: InterfaceOptions) { (self.source, self.options) = (source, options) }

  /// The declaration of a type.
  ///
  /// - Parameter metadata: where the type's metadata is, where that is known; its symbol tells otherwise.
  func build(_ subject: InterfaceSubject, metadata: UInt64? = nil) -> TypeInterface {
    var interface = TypeInterface(module: subject.module, name: subject.localName, kind: subject.kind)
    interface.isPrivate = subject.isPrivate
    interface.isLocal = subject.isLocal
    var spelling = source.spelling
    spelling.isInProtocol = subject.kind == .protocol || spelling.protocols.contains(subject.name)
    var gaps: Set<InterfaceGap> = []
    let (conformances, isComplete) = source.conformances.conformances(of: subject, spelling)
    interface.conformances = conformances
    if !isComplete { gaps.insert(.constraints) }
    let signature = subject.descriptor.map { RequirementReader(source.names).signature(ofType: $0.address) }
    let constraints = signature?.requirements.map { spelling.constraint($0.text) } ?? []
    let members = MemberFinder(source, subject, spelling, options, constraints: Set(constraints)).find()
    interface.members = members.collection.own
    interface.extensions = members.collection.extensions
    interface.localFunctions = members.localFunctions
    if let descriptor = subject.descriptor {
      if let signature, descriptor.kind != .protocol {
        describe(&interface, signature, around: descriptor, spelling, &gaps)
      }
      describe(&interface, descriptor, spelling, members, metadata, &gaps)
      if subject.key == nil || source.symbols.source == .dynamicSymbols { gaps.insert(.symbols) }
    }
    interface.gaps = InterfaceGap.allCases.filter(gaps.contains)
    return interface
  }

  private func describe(
    _ interface: inout TypeInterface, _ signature: GenericSignature, around descriptor: TypeDescriptor,
    _ spelling: TypeSpelling, _ gaps: inout Set<InterfaceGap>
  ) {
    interface.genericParameters = signature.parameters.map(spelling.constraint)
    // What the types around it ask for is said there.
    let around = RequirementReader(source.names).signature(around: descriptor.address).requirements
    interface.constraints = signature.requirements.filter { !around.contains($0) }.map { spelling.constraint($0.text) }
    if !signature.isComplete { gaps.insert(.constraints) }
  }

  private func describe(
    _ interface: inout TypeInterface, _ descriptor: TypeDescriptor, _ spelling: TypeSpelling, _ members: FoundMembers,
    _ metadata: UInt64?, _ gaps: inout Set<InterfaceGap>
  ) {
    if descriptor.kind == .protocol {
      describeProtocol(&interface, descriptor, spelling, &gaps)
      return
    }
    interface.superclass = descriptor.superclass(source.names).map(spelling.type)
    let fields = descriptor.fields(source.names)
    if !fields.isComplete { gaps.insert(.reflection) }
    let layout = LayoutReader(source, descriptor, members.metadataSymbol, metadata, fields.declaredCount)
    if descriptor.kind == .enum {
      interface.cases = fields.fields.map { InterfaceCase($0, spelling) }
    } else {
      FieldAssembly(spelling, members, layout, fields).fill(&interface)
      if interface.storedProperties.contains(where: { $0.type == nil }) { gaps.insert(.fieldTypes) }
    }
    interface.layout = layout.layout
    // Of values, only those that cannot be copied have an end to do something at.
    let hasDeinit = descriptor.kind != .class && interface.members.contains { $0.kind == .deinitializer }
    interface.isNoncopyable = layout.isNoncopyable || hasDeinit
    if layout.layout == nil || interface.storedProperties.contains(where: { $0.offset == nil }),
      !descriptor.isGeneric
    {
      gaps.insert(.layout)
    }
  }

  /// What a protocol asks for is `get` and `set`, by whichever accessors it is reached.
  private static func required(_ accessors: [String]) -> [String] {
    guard !accessors.isEmpty else { return [] }
    return accessors.contains { ["set", "_modify", "modify"].contains($0) } ? ["get", "set"] : ["get"]
  }

  private func describeProtocol(
    _ interface: inout TypeInterface, _ descriptor: TypeDescriptor, _ spelling: TypeSpelling,
    _ gaps: inout Set<InterfaceGap>
  ) {
    interface.associatedTypes = descriptor.associatedTypes(source.reader).sorted()
    let (requirements, isComplete) = descriptor.protocolSignature(source.names)
    if !isComplete { gaps.insert(.constraints) }
    for requirement in requirements {
      if requirement.parameter == "A", requirement.relation == ":" {
        interface.conformances.append(InterfaceConformance(requirement.subject, [], spelling))
      } else {
        interface.constraints.append(spelling.constraint(requirement.text))
      }
    }
    for index in interface.members.indices {
      interface.members[index].accessors = Self.required(interface.members[index].accessors)
    }
    if descriptor.isClassConstrained, !interface.conformances.contains(where: { $0.name == "AnyObject" }) {
      interface.conformances.insert(InterfaceConformance(name: "AnyObject", module: "Swift"), at: 0)
    }
    // An accessor is a requirement each; others are one each.
    let known = interface.members.reduce(0) { $0 + max(1, $1.accessors.count) }
    if known < descriptor.requirementCount(source.reader) { gaps.insert(.requirements) }
  }
}

extension InterfaceCase {
  init(_ field: DescribedField, _ spelling: TypeSpelling) {
    let payload = field.type.map(spelling.type).map { type in
      // A payload of several values, or of one with a label, is a tuple already; `(Int) -> (Int)` is none.
      let text = DemangledText(type)
      // The parser takes this attribute for a parameter's own, and wants a name behind it.
      if type.hasPrefix("nonisolated(") { return "(_: \(type))" }
      return type.hasPrefix("(") && text.closing(0) == text.bytes.count ? type : "(\(type))"
    }
    self.init(name: field.name, payload: payload, isIndirect: field.isIndirect)
  }
}
