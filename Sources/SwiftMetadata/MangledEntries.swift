/// Goes through a mangled type and counts what the demangler would put into its table of substitutions, so that references to
/// the table can be renumbered where a placeholder puts in more than what it stands for.
///
/// Source: docs/ABI/Mangling.rst of the Swift project ("Substitutions", "Identifiers", "Types"). Identifiers, nominal types,
/// types with arguments, optionals, associated types and symbolic references make an entry each.
struct MangledEntries {
  /// How many entries a placeholder makes: its module, its name, itself.
  private static let placeholderEntries = 3

  private(set) var output: [UInt8] = []
  private let bytes: [UInt8]
  private(set) var position = 0
  private var count = 0
  /// The number of the entry that each placeholder stands for.
  private var placeholders: [Int] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Copies up to the next symbolic reference; `nil` at the end.
  mutating func nextReference() -> UInt8? {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case ..<0x20: return byte
      case 0x30...0x39: copyIdentifier()
      case UInt8(ascii: "A"): renumber()
      case UInt8(ascii: "S"): copyPair(entryAfter: "g")
      case UInt8(ascii: "X"), UInt8(ascii: "Y"), UInt8(ascii: "L"): copyPair(entryAfter: "")
      case UInt8(ascii: "Q"): copyAssociatedType()
      case UInt8(ascii: "q"):
        copy(1)
        copyIndex()
      case UInt8(ascii: "V"), UInt8(ascii: "C"), UInt8(ascii: "O"), UInt8(ascii: "P"), UInt8(ascii: "a"),
        UInt8(ascii: "G"):
        count += 1
        copy(1)
      default: copy(1)
      }
    }
    return nil
  }

  /// Writes a placeholder for the reference at the current position, and passes over it.
  mutating func replaceReference(with placeholder: String) {
    placeholders.append(count)
    count += 1
    output += Array(placeholder.utf8)
    position = min(bytes.count, position + 5)
  }

  // MARK: - Pieces

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func copy(_ length: Int) {
    let end = min(bytes.count, position + max(0, length))
    output += bytes[position..<end]
    position = end
  }

  private mutating func copyPair(entryAfter letters: String) {
    copy(1)
    if let next, letters.utf8.contains(next) { count += 1 }
    // The byte behind may be a reference's, which is not this pair's.
    if let next, next >= 0x20 { copy(1) }
  }

  /// `Qz`, `Qy_`, `QY0_`, `Qyd__`.
  private mutating func copyAssociatedType() {
    copy(1)
    guard let letter = next, letter >= 0x20 else { return }
    copy(1)
    switch letter {
    case UInt8(ascii: "z"), UInt8(ascii: "Z"): count += 1
    case UInt8(ascii: "y"), UInt8(ascii: "Y"), UInt8(ascii: "x"), UInt8(ascii: "X"):
      count += 1
      copyIndex()
    default: break
    }
  }

  /// `_`, `12_`, or two of them behind `d`.
  private mutating func copyIndex() {
    var indices = 1
    if next == UInt8(ascii: "d") {
      indices = 2
      copy(1)
    }
    for _ in 0..<indices {
      while let next, (0x30...0x39).contains(next) { copy(1) }
      if next == UInt8(ascii: "_") { copy(1) }
    }
  }

  private mutating func number() -> Int? {
    let start = position
    var value = 0
    while let next, (0x30...0x39).contains(next), position - start < 6 {
      value = value * 10 + Int(next & 15)
      copy(1)
    }
    return position > start ? value : nil
  }

  /// A length and as many letters; behind a `0`, letters that refer to words come before.
  private mutating func copyIdentifier() {
    count += 1
    var hasWords = false
    var isPunycode = false
    if next == UInt8(ascii: "0") {
      copy(1)
      isPunycode = next == UInt8(ascii: "0")
      if isPunycode { copy(1) } else { hasWords = true }
    }
    repeat {
      while hasWords, let letter = next, (letter | 0x20) >= UInt8(ascii: "a"), (letter | 0x20) <= UInt8(ascii: "z") {
        hasWords = letter >= UInt8(ascii: "a")
        copy(1)
      }
      if next == UInt8(ascii: "0") {
        copy(1)
        return
      }
      guard let length = number() else { return }
      if isPunycode, next == UInt8(ascii: "_") { copy(1) }
      copy(length)
    } while hasWords
  }

  /// `AB`, `AbC`, `A3B`, `A12_`: each entry is referred to by a number of its own, after the placeholders before it.
  private mutating func renumber() {
    position += 1
    while position < bytes.count {
      var digits: Int?
      while let digit = next, (0x30...0x39).contains(digit) {
        digits = min(1 << 16, (digits ?? 0) * 10 + Int(digit & 15))
        position += 1
      }
      guard let letter = next, letter > UInt8(ascii: "9") else { return }
      position += 1
      if letter == UInt8(ascii: "_") { return write(digits.map { $0 + 27 } ?? 26) }
      let isLast = letter < UInt8(ascii: "a")
      let entry = Int(letter) - Int(UInt8(ascii: isLast ? "A" : "a"))
      for _ in 0..<min(digits ?? 1, 2048) { write(entry) }
      if isLast { return }
    }
  }

  private mutating func write(_ entry: Int) {
    let added = (Self.placeholderEntries - 1) * placeholders.count { $0 <= entry }
    let number = entry + added
    output.append(UInt8(ascii: "A"))
    switch number {
    case ..<26: output.append(UInt8(ascii: "A") + UInt8(clamping: number))
    case 26: output.append(UInt8(ascii: "_"))
    default: output += Array("\(number - 27)_".utf8)
    }
  }
}
