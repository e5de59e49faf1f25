import SwiftMetadata
import Symbolication

/// Finds the types of other files to which this one adds something: members in extensions, conformances.
struct ForeignSubjects {
  private let source: InterfaceSource

  init(_ source: InterfaceSource) { self.source = source }

  func find() -> [InterfaceSubject] {
    var found: [String: InterfaceSubject] = [:]
    for (address, name) in source.conformances.foreignTypes {
      found[name] = InterfaceSubject(name: name, kind: .extension, conformanceKey: address)
    }
    for index in unclaimedMembers() {
      guard let demangled = Demangler.demangled(source.symbols.name(index)), let text = SymbolText(demangled),
        let module = text.extensions.last, !text.owner.hasPrefix(module + ".")
      else { continue }
      // A copy of what the type's own module lets others inline is nothing that this file adds.
      found[text.owner, default: InterfaceSubject(name: text.owner, kind: .extension)].memberSymbols.append(index)
    }
    return found.values.sorted { $0.name < $1.name }
  }

  /// The symbols of members that begin with the name of no type of this file.
  private func unclaimedMembers() -> [Int] {
    let symbols = source.symbols
    var claimed = [Bool](repeating: false, count: symbols.count)
    for prefix in source.subjects.compactMap(\.prefix) {
      for index in symbols.range(prefix: prefix) { claimed[index] = true }
    }
    return (0..<symbols.count).filter { index in
      // Extensions are mangled as the type, the module and `E`; most of what is left is of no type at all.
      !claimed[index] && MemberSymbol(symbols.bytes(index)) == .member
        && symbols.bytes(index).contains(UInt8(ascii: "E"))
    }
  }
}
