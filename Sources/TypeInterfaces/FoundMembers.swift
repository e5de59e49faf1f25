/// What the symbols of a type say of it.
struct FoundMembers {
  var collection = MemberCollection()
  /// Stored properties that only a symbol names: with their types, and where the symbol is.
  var fieldSymbols: [String: (type: String, isPrivate: Bool, address: UInt64)] = [:]
  /// Properties that have a wrapper.
  var wrapped: Set<String> = []
  /// Closures and functions within members.
  var localFunctions: [String] = []
  /// Where the type's metadata is, as the file counts addresses.
  var metadataSymbol: UInt64?
}
