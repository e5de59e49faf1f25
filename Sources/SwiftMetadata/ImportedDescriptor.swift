import Symbolication

/// What the symbol of a descriptor in another file says of it.
struct ImportedDescriptor {
  let name: String
  let kind: MetadataLayout.ContextKind

  /// `nil` for symbols of anything else than the descriptor of a type or a protocol.
  init?(_ symbol: String) {
    guard let text = Demangler.demangled(symbol) else { return nil }
    if text.hasPrefix("protocol descriptor for ") {
      kind = .protocol
    } else if text.hasPrefix("nominal type descriptor for ") || text.hasPrefix("type metadata for ") {
      // `…VMn`: the letter of the type stands before what the symbol is. Those of the standard library's abbreviations
      // have none; what they are changes nothing in how a name is written.
      switch symbol.utf8.dropLast(symbol.hasSuffix("N") ? 1 : 2).last {
      case UInt8(ascii: "C"): kind = .class
      case UInt8(ascii: "O"): kind = .enum
      default: kind = .struct
      }
    } else {
      return nil
    }
    name = PrivateNames.removed(
      from: String(text[(TextSearch.firstRange(of: " for ", in: text)?.upperBound ?? text.startIndex)...]))
  }
}
