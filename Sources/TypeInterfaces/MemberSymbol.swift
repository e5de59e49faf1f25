// Which symbols name members, told by the end of a mangled name, before anything is demangled.

/// What a mangled name ends in says what it is of: of the dozens of things a compiler makes of a type, few are members.
///
/// Source: docs/ABI/Mangling.rst of the Swift project, "Entities" and "Globals".
enum MemberSymbol {
  /// Code or storage that the source declares.
  case member
  /// A requirement of a protocol, or a method that is called through a table; the name without the last two bytes is the member's.
  case descriptor
  /// A protocol's requirement, as a type implements it.
  case witness
  /// Where a stored property is in an object.
  case fieldOffset
  /// That a property has a wrapper.
  case wrapper
  /// A closure.
  case closure

  init?(_ name: ArraySlice<UInt8>) {
    guard let last = name.last, name.count > 4 else { return nil }
    if let kind = Self.marked(name) {
      self = kind
      return
    }
    // A trailing `Z` is for statics.
    let body = last == UInt8(ascii: "Z") ? name.dropLast() : name
    guard let letter = body.last, let before = body.dropLast().last else { return nil }
    switch letter {
    case UInt8(ascii: "F"): self = .member
    case UInt8(ascii: "C"), UInt8(ascii: "c"), UInt8(ascii: "D"), UInt8(ascii: "d"):
      guard before == UInt8(ascii: "f") else { return nil }
      self = .member
    case UInt8(ascii: "g"), UInt8(ascii: "s"), UInt8(ascii: "M"), UInt8(ascii: "r"), UInt8(ascii: "x"),
      UInt8(ascii: "y"):
      guard before == UInt8(ascii: "v") || before == UInt8(ascii: "i") else { return nil }
      self = .member
    default: return nil
    }
  }

  private static func marked(_ name: ArraySlice<UInt8>) -> MemberSymbol? {
    if name.ends(in: "Tq") || name.ends(in: "Tj") { return .descriptor }
    if name.ends(in: "TW") { return .witness }
    if name.ends(in: "vpWvd") { return .fieldOffset }
    if name.ends(in: "vpfP") { return .wrapper }
    // `U_`, `U0_`: a number between. Autoclosures are `u`.
    guard name.last == UInt8(ascii: "_") else { return nil }
    let letter = name.dropLast().last { !(0x30...0x39).contains($0) }
    return letter == UInt8(ascii: "U") ? .closure : nil
  }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(in text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
