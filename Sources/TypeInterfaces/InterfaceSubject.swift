import SwiftMetadata
import Symbolication

/// A type that declarations are made of, before anything but its name is known.
struct InterfaceSubject {
  /// With the module: `Shop.Order.Status`.
  var name: String
  var kind: TypeInterface.Kind
  /// Where its descriptor is, in the memory that is read; `nil` for types of other files.
  var descriptor: TypeDescriptor?
  /// What the demangler calls it, marks of private names included; `nil` where it has no symbol.
  var key: String?
  /// What the mangled names of its members begin with.
  var prefix: [UInt8]?
  /// For types of other files: which symbols are its members.
  var memberSymbols: [Int] = []
  /// The address under which conformances refer to it.
  var conformanceKey: UInt64?

  /// The module that declares it: for a type within an extension, the one that extends.
  var module: String {
    if let key, let outer = SymbolText.extensions(before: key[...]).modules.last { return outer }
    return name.firstIndex(of: ".").map { String(name[..<$0]) } ?? ""
  }
  var localName: String { name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name }

  /// The name as the texts of its members have it: the demangler's, which for imported types can be another.
  var ownerName: String {
    guard let key else { return name }
    return PrivateNames.removed(from: key)
  }

  /// Whether it is private to a file, or within a function.
  var isPrivate: Bool { key.map { $0.hasSuffix(")") && TextSearch.contains(" in _", in: $0) } ?? false }

  /// Whether it is declared within a function.
  var isLocal: Bool { key.map { TextSearch.contains(" #", in: $0) } ?? false }
}
