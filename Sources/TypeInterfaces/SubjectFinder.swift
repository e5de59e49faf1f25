import SwiftMetadata
import Symbolication

/// Finds the types that a file declares.
struct SubjectFinder {
  private let source: InterfaceSource

  init(_ source: InterfaceSource) { self.source = source }

  func find() -> [InterfaceSubject] {
    let records = SectionRecords(source.reader)
    var addresses: [UInt64] = []
    for section in ["swift5_type_metadata", "swift5_type_metadata_2", "swift5_protocols"] {
      addresses += records.descriptors(in: source.section(section))
    }
    let descriptorSymbols = descriptorSymbols()
    var seen: Set<UInt64> = []
    return addresses.compactMap { address in
      guard seen.insert(address).inserted, let descriptor = TypeDescriptor(at: address, source.reader),
        let name = source.names.name(ofContext: address)
      else { return nil }
      var subject = InterfaceSubject(name: name, kind: Self.kind(descriptor), descriptor: descriptor)
      subject.conformanceKey = address
      if let index = descriptorSymbols[address &- source.bias] { addSymbol(index, to: &subject) }
      return subject
    }
  }

  /// The descriptor's symbol has the type's mangled name, and before the demangler's text for it stands what it is.
  private func addSymbol(_ index: Int, to subject: inout InterfaceSubject) {
    let symbol = source.symbols.name(index)
    guard let text = Demangler.demangled(symbol), let word = TextSearch.firstRange(of: " descriptor for ", in: text)
    else { return }
    subject.key = String(text[word.upperBound...])
    subject.prefix = Array(symbol.utf8.dropLast(2))
  }

  private static func kind(_ descriptor: TypeDescriptor) -> TypeInterface.Kind {
    switch descriptor.kind {
    case .struct: .struct
    case .enum: .enum
    case .protocol: .protocol
    default: descriptor.isActor ? .actor : .class
    }
  }

  /// The symbols of descriptors by address: `…Mn` of types, `…Mp` of protocols.
  private func descriptorSymbols() -> [UInt64: Int] {
    var found: [UInt64: Int] = [:]
    for index in 0..<source.symbols.count {
      let ending = source.symbols.bytes(index).suffix(2)
      if ending.elementsEqual("Mn".utf8) || ending.elementsEqual("Mp".utf8) {
        found[source.symbols.address(index)] = index
      }
    }
    return found
  }
}
