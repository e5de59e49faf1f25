/// An encoding inside the name of a symbol: selectors and block descriptors, as clang names them in ELF and Mach-O files.
///
/// `@` means something to linkers, so byte 1 stands for it.
///
/// | symbol | what it is |
/// |---|---|
/// | `.objc_selector_setX:_v24\u{1}0:8i16` | a selector with its types, of the GNUstep 2 runtime |
/// | `.objc_sel_types_v24\u{1}0:8i16` | the types alone |
/// | `__block_descriptor_32_e8_v12\u{1}?0i8l` | what a block captures, and its signature |
public struct EncodedSymbol: Sendable, Equatable {
  /// What the symbol names.
  public enum Kind: String, Sendable, Equatable, Codable {
    case selector
    case selectorTypes = "selector types"
    case blockDescriptor = "block descriptor"
  }

  /// What the symbol names.
  public let kind: Kind
  /// The selector, of a symbol that has one.
  public let selector: String?
  /// The encoding, with `@` where byte 1 stood.
  public let encoding: String
  /// Where the encoding begins in the symbol, in bytes.
  public let encodingOffset: Int

  /// Finds the encoding in a symbol's name; `nil` where there is none.
  ///
  /// Byte 1 may be there as itself or as the four characters `\x01`, as tools print it.
  public init?(_ symbol: String) {
    // Symbols of encodings of a mebibyte exist in no file.
    guard symbol.utf8.count < 1 << 20 else { return nil }
    if let rest = Self.rest(of: symbol, after: ".objc_sel_types_") {
      kind = .selectorTypes
      selector = nil
      encoding = Self.decoded(rest)
      encodingOffset = Self.offset(of: rest, in: symbol)
    } else if let rest = Self.rest(of: symbol, after: ".objc_selector_"), let split = Self.selectorEnd(rest) {
      kind = .selector
      selector = String(rest[..<split])
      let types = rest[rest.utf8.index(after: split)...]
      encoding = Self.decoded(types)
      encodingOffset = Self.offset(of: types, in: symbol)
    } else if let signature = Self.descriptorSignature(symbol) {
      kind = .blockDescriptor
      selector = nil
      encoding = Self.decoded(signature)
      encodingOffset = Self.offset(of: signature, in: symbol)
    } else {
      return nil
    }
    guard !encoding.isEmpty else { return nil }
  }

  private static func rest(of symbol: String, after prefix: String) -> Substring? {
    symbol.hasPrefix(prefix) ? symbol[symbol.utf8.index(symbol.startIndex, offsetBy: prefix.utf8.count)...] : nil
  }

  private static func offset(of piece: Substring, in symbol: String) -> Int {
    symbol.utf8.distance(from: symbol.startIndex, to: piece.startIndex)
  }

  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 == 1 || $0 == UInt8(ascii: "\\") }) else { return String(text) }
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    let escape = Array("\\x01".utf8)
    var index = 0
    while index < source.count {
      if source[index...].starts(with: escape) {
        bytes.append(UInt8(ascii: "@"))
        index += escape.count
      } else {
        bytes.append(source[index] == 1 ? UInt8(ascii: "@") : source[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Where a selector ends and its types begin. Both may hold underscores: with colons the selector ends behind the last
  /// of them that an underscore follows; without, at the first underscore behind which method types can be read.
  private static func selectorEnd(_ rest: Substring) -> Substring.Index? {
    let bytes = rest.utf8
    var candidates: [Substring.Index] = []
    var index = bytes.startIndex
    while index < bytes.endIndex, candidates.count < 32 {
      if bytes[index] == UInt8(ascii: "_"), index > bytes.startIndex { candidates.append(index) }
      index = bytes.index(after: index)
    }
    return candidates.first { place in
      let types = decoded(rest[bytes.index(after: place)...])
      guard let method = try? MethodEncoding(types: types, selector: String(rest[..<place])) else { return false }
      return method.notes.isEmpty
    } ?? candidates.first
  }

  /// The signature in `__block_descriptor_[captures_]e<length>_<signature><flags>`.
  private static func descriptorSignature(_ symbol: String) -> Substring? {
    guard let rest = rest(of: symbol, after: "__block_descriptor_") else { return nil }
    // Of `40_e8_32s_e5_v8…` the first `e` and number belong to what is captured: the signature is the one behind which
    // the number's bytes read as a signature.
    var pieces = rest[...]
    // A descriptor has two at the most; more would make hostile names expensive.
    var triesLeft = 8
    while triesLeft > 0, let underscore = pieces.utf8.firstIndex(of: UInt8(ascii: "_")) {
      let after = pieces.utf8.index(after: underscore)
      if let mark = pieces[..<underscore].utf8.lastIndex(of: UInt8(ascii: "e")),
        let length = Int(pieces[pieces.utf8.index(after: mark)..<underscore]), length > 0
      {
        triesLeft -= 1
        if let found = signature(pieces[after...], length: length), (try? BlockSignature(decoded(found))) != nil {
          return found
        }
      }
      pieces = pieces[after...]
    }
    return nil
  }

  /// `length` bytes, in which byte 1 may be written as four characters.
  private static func signature(_ text: Substring, length: Int) -> Substring? {
    let escape = "\\x01"
    var index = text.startIndex
    for _ in 0..<length {
      guard index < text.endIndex else { return nil }
      let width = text[index...].hasPrefix(escape) ? escape.utf8.count : 1
      index = text.utf8.index(index, offsetBy: width)
    }
    return text[..<index]
  }
}
