/// Names for the arguments of a method, made from its selector: `initWithFrame:style:` takes `frame` and `style`.
///
/// Works on bytes and writes into the declaration, without strings of its own.
struct ArgumentNames {
  private let isDerived: Bool
  /// The names so far, as places in the declaration, to tell when one comes again.
  private var names: [Range<Int>] = []

  /// More arguments than anyone declares: numbers will do, and need no comparing.
  private static let most = 64

  /// Whether there is more than one name, which could be alike.
  private let mustDiffer: Bool

  init(style: DeclarationStyle, count: Int) {
    isDerived = style.argumentNames == .derived && count <= Self.most
    mustDiffer = isDerived && count > 1
    if mustDiffer { names.reserveCapacity(count) }
  }

  /// Writes the name of an argument, no two alike.
  mutating func put(_ label: Substring, number: Int, type: EncodingNode?, _ text: inout ByteText) {
    let start = text.count
    if !isDerived || !Self.putDerived(label, &text) && !Self.putFallback(type, &text) {
      text.append("arg")
      text.append(number: UInt64(number))
    }
    guard mustDiffer else { return }
    var suffix: UInt64 = 2
    let end = text.count
    while isTaken(start..<text.count, text) {
      text.cut(to: end)
      text.append(number: suffix)
      suffix += 1
    }
    names.append(start..<text.count)
  }

  private func isTaken(_ name: Range<Int>, _ text: borrowing ByteText) -> Bool {
    for other in names where text.isSame(other, name) { return true }
    return false
  }

  // MARK: A name from a label

  /// `setMaximumValue` gives `maximumValue`, `objectAtIndex` gives `index`, `initWithURL` gives `url`, `isKindOfClass`
  /// gives `aClass`. Writes nothing where no word is left that could name a thing.
  private static func putDerived(_ label: Substring, _ text: inout ByteText) -> Bool {
    let bytes = label.utf8
    guard !bytes.isEmpty else { return false }
    var scan = WordScan(bytes)
    var wordCount = 0
    var first: Substring.UTF8View = bytes[bytes.startIndex..<bytes.startIndex]
    // The name begins behind the last preposition that something follows, or behind a verb at the beginning.
    var name = first
    var isPending = false
    var end = bytes.endIndex
    while let word = scan.next() {
      wordCount += 1
      if wordCount == 1 {
        first = word
        name = word
        // A preposition at the very beginning: `forKey`, `toPoint`.
        isPending = Vocabulary.isPreposition(word)
        if !isPending, Vocabulary.isVerb(word) { isPending = true }
        continue
      }
      if isPending { name = word }
      isPending = Vocabulary.isPreposition(word)
      if !isPending { end = word.endIndex }
    }
    guard wordCount > 0 else { return false }
    if wordCount == 1 {
      guard !Vocabulary.isVerb(first) || first.count == bytes.count && Vocabulary.isPreposition(first) else {
        return false
      }
      return putName(first, first.endIndex, of: label, &text)
    }
    // `isEqualTo:` and `compareTo:` end in a preposition, which names nothing.
    let stop = isPending ? max(end, name.endIndex) : bytes.endIndex
    if name.elementsEqual("Equal".utf8), first.elementsEqual("is".utf8) {
      text.append("other")
      return true
    }
    return putName(name, stop, of: label, &text)
  }

  /// Writes the words from `word` up to `end`, the first in small letters, underscores left out.
  private static func putName(
    _ word: Substring.UTF8View, _ end: Substring.Index, of label: Substring, _ text: inout ByteText
  ) -> Bool {
    guard let letter = word.first, !letter.isDigit else { return false }
    let isWhole = word.endIndex >= end
    if isWhole, Vocabulary.isReserved(word) {
      // A reserved word takes an article: `aClass`, `anInt`.
      let small = letter | 0x20
      let isVowel = "aeiou".utf8.contains(small)
      text.append(isVowel ? "an" as StaticString : "a")
      text.append(byte: small & 0xDF)
      text.append(Substring(word.dropFirst()))
      return true
    }
    for byte in word { text.append(byte: byte.lowercased) }
    if !isWhole {
      for byte in label[word.endIndex..<end].utf8 where byte != UInt8(ascii: "_") { text.append(byte: byte) }
    }
    return true
  }

  /// A name from the type, for labels that give none: `:` and `compare:`.
  private static func putFallback(_ node: EncodingNode?, _ text: inout ByteText) -> Bool {
    guard let node else { return false }
    switch (node.kind, node.code) {
    case (.block, _): text.append("block")
    case (.object, _): text.append("object")
    case (.scalar, ScalarType.selector.rawValue): text.append("aSelector")
    case (.scalar, ScalarType.classObject.rawValue): text.append("aClass")
    default: return false
    }
    return true
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
  fileprivate var lowercased: UInt8 { isCapital ? self | 0x20 : self }
}

/// The words of a camel-case name; capitals in a row are one word (`URLString` is `URL`, `String`).
private struct WordScan {
  private var rest: Substring.UTF8View

  init(_ bytes: Substring.UTF8View) { rest = bytes }

  mutating func next() -> Substring.UTF8View? {
    rest = rest.drop { $0 == UInt8(ascii: "_") }
    guard let first = rest.first else { return nil }
    var index = rest.index(after: rest.startIndex)
    var previous = first
    while index < rest.endIndex {
      let byte = rest[index]
      if byte == UInt8(ascii: "_") { break }
      if byte.isCapital {
        let after = rest.index(after: index)
        let next = after < rest.endIndex ? rest[after] : 0
        // The last of several capitals begins the next word: `URLString`.
        if !previous.isCapital || next >= UInt8(ascii: "a") && next <= UInt8(ascii: "z") { break }
      }
      previous = byte
      index = rest.index(after: index)
    }
    let word = rest[rest.startIndex..<index]
    rest = rest[index...]
    return word
  }
}

/// Words that are no names. Each is its small letters packed into eight bytes; longer words are in none of the lists.
private enum Vocabulary {
  /// Words after which the name of the argument begins.
  private static let prepositions = packed(
    "with for from to at in into of by on onto using as and before after when via through between than inside outside "
      + "near under over without")

  /// Words that say what is done and not to what.
  private static let verbs = packed(
    "set get add insert remove replace init is has can should will did make perform write read append delete show hide "
      + "find copy move draw convert open close load save send create start stop begin end update use take put do select "
      + "sort register schedule encode decode dispatch present dismiss push pop fetch apply handle process validate does "
      + "responds conforms compare exchange increase decrease")

  /// Words that cannot name an argument, C's, C++'s and Objective-C's.
  private static let reserved = packed(
    "auto bool break bycopy byref case char class const continue default do double else enum extern float for goto id if "
      + "in inline inout int long oneway out register restrict return self short signed sizeof static struct super switch "
      + "typedef union unsigned void volatile while new delete this operator template protocol selector")

  private static func packed(_ words: String) -> [UInt64] {
    words.split(separator: " ").compactMap { pack($0.utf8) }
  }

  private static func pack(_ word: Substring.UTF8View) -> UInt64? {
    var packed: UInt64 = 0
    var count = 0
    for byte in word {
      count += 1
      guard count <= 8 else { return nil }
      packed = packed << 8 | UInt64(byte.lowercased)
    }
    return packed
  }

  static func isPreposition(_ word: Substring.UTF8View) -> Bool { pack(word).map(prepositions.contains) ?? false }
  static func isVerb(_ word: Substring.UTF8View) -> Bool { pack(word).map(verbs.contains) ?? false }
  static func isReserved(_ word: Substring.UTF8View) -> Bool { pack(word).map(reserved.contains) ?? false }
}
