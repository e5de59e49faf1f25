/// What kind of type a mangled name says that a type is.
enum SwiftTypeKind {
  case `class`, `struct`, `enum`, `protocol`, `typealias`

  var keyword: String {
    switch self {
    case .class: "class"
    case .struct: "struct"
    case .enum: "enum"
    case .protocol: "protocol"
    case .typealias: "typealias"
    }
  }

  /// Looks for the type called `name` among the identifiers of a mangled name, and reads the letter behind it.
  ///
  /// Identifiers are a length and letters; words that occurred before are referred to by letters. `nil` where the name
  /// is not among them, as for the standard library's own abbreviations that are not in the table.
  static func find(_ name: some StringProtocol, in mangled: String) -> SwiftTypeKind? {
    if mangled.hasPrefix("_T") { return oldKind(mangled) }
    var scan = IdentifierScan(mangled)
    while let (identifier, letter) = scan.next() {
      guard identifier.elementsEqual(name.utf8) else { continue }
      switch letter {
      case UInt8(ascii: "C"): return .class
      case UInt8(ascii: "V"): return .struct
      case UInt8(ascii: "O"): return .enum
      case UInt8(ascii: "P"), UInt8(ascii: "_"): return .protocol
      case UInt8(ascii: "a"): return .typealias
      default: continue
      }
    }
    return standard[String(name)]
  }

  /// Before version 4 the letter came first: `_TtC4main3Foo`. Nested types have one for each level, which do not tell
  /// which name they belong to without reading on.
  private static func oldKind(_ mangled: String) -> SwiftTypeKind? {
    let letters = Array(mangled.utf8.dropFirst(3).prefix(2))
    guard mangled.hasPrefix("_Tt"), letters.count == 2,
      letters[1] < UInt8(ascii: "A") || letters[1] == UInt8(ascii: "s")
    else { return nil }
    switch letters[0] {
    case UInt8(ascii: "C"): return .class
    case UInt8(ascii: "V"): return .struct
    case UInt8(ascii: "O"): return .enum
    case UInt8(ascii: "P"): return .protocol
    default: return nil
    }
  }

  /// The types that the mangling abbreviates to `S` and a letter.
  private static let standard: [String: SwiftTypeKind] = {
    var kinds: [String: SwiftTypeKind] = ["Optional": .enum]
    for name in [
      "Array", "Bool", "Character", "Dictionary", "Double", "Float", "Int", "Range", "ClosedRange", "Set", "String",
      "Substring", "UInt", "UnsafePointer", "UnsafeMutablePointer", "UnsafeRawPointer", "UnsafeMutableRawPointer",
      "UnsafeBufferPointer", "UnsafeMutableBufferPointer", "UnsafeRawBufferPointer", "DefaultIndices", "Task",
      "TaskGroup", "ThrowingTaskGroup", "TaskPriority", "AsyncStream", "AsyncThrowingStream", "CheckedContinuation",
      "UnsafeContinuation", "ObjectIdentifier", "UnsafeCurrentTask",
    ] { kinds[name] = .struct }
    for name in [
      "Sequence", "Collection", "BidirectionalCollection", "RandomAccessCollection", "MutableCollection",
      "RangeReplaceableCollection", "Comparable", "Equatable", "Hashable", "Encodable", "Decodable", "BinaryInteger",
      "FloatingPoint", "BinaryFloatingPoint", "RangeExpression", "RawRepresentable", "StringProtocol",
      "IteratorProtocol",
      "Numeric", "SignedNumeric", "FixedWidthInteger", "SignedInteger", "UnsignedInteger", "Strideable", "Actor",
      "AsyncSequence", "AsyncIteratorProtocol", "Executor", "SerialExecutor",
    ] { kinds[name] = .protocol }
    kinds["MainActor"] = .class
    return kinds
  }()
}

/// The identifiers of a mangled name one after the other, each with the byte behind it.
private struct IdentifierScan {
  private let bytes: [UInt8]
  private var position: Int
  private var words: [Range<Int>] = []

  init(_ mangled: String) {
    bytes = Array(mangled.utf8)
    position = bytes.firstIndex(of: UInt8(ascii: "$")).map { $0 + 2 } ?? 0
  }

  mutating func next() -> (identifier: [UInt8], letter: UInt8)? {
    while position < bytes.count {
      guard isDigit(position) else {
        position += 1
        continue
      }
      if let identifier = identifier() { return (identifier, position < bytes.count ? bytes[position] : 0) }
      position += 1
    }
    return nil
  }

  private func isDigit(_ index: Int) -> Bool {
    index < bytes.count && bytes[index] >= UInt8(ascii: "0") && bytes[index] <= UInt8(ascii: "9")
  }

  private mutating func identifier() -> [UInt8]? {
    var refersToWords = false
    if bytes[position] == UInt8(ascii: "0") {
      position += 1
      refersToWords = true
    }
    var result: [UInt8] = []
    repeat {
      while refersToWords, position < bytes.count, let place = wordPlace(bytes[position]) {
        refersToWords = bytes[position] >= UInt8(ascii: "a")
        position += 1
        guard place < words.count else { return nil }
        result.append(contentsOf: bytes[words[place]])
      }
      if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
        position += 1
        break
      }
      guard let length = number(), length > 0, length <= bytes.count - position else { return nil }
      result.append(contentsOf: bytes[position..<position + length])
      collectWords(position..<position + length)
      position += length
    } while refersToWords
    return result
  }

  private func wordPlace(_ letter: UInt8) -> Int? {
    switch letter {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter - UInt8(ascii: "a"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(letter - UInt8(ascii: "A"))
    default: nil
    }
  }

  private mutating func number() -> Int? {
    let start = position
    var value = 0
    while isDigit(position), position - start < 6 {
      value = value * 10 + Int(bytes[position] & 15)
      position += 1
    }
    return position > start ? value : nil
  }

  /// Words begin at a capital behind a small letter, at a letter behind an underscore, and at the beginning.
  private mutating func collectWords(_ range: Range<Int>) {
    var start: Int?
    for index in range.lowerBound...range.upperBound {
      let byte = index < range.upperBound ? bytes[index] : 0
      if let begun = start {
        let ends = byte == 0 || byte == UInt8(ascii: "_") || isUpper(byte) && !isUpper(bytes[index - 1])
        if ends {
          if index - begun >= 2, words.count < 26 { words.append(begun..<index) }
          start = nil
        }
      }
      if start == nil, byte != 0, byte != UInt8(ascii: "_"), !isDigit(index) { start = index }
    }
  }

  private func isUpper(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
}
