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
  mutating func put(_ label: Substring, number: Int, type: EncodingNode?, _ text: inout TextBuffer) {
    let start = text.count
    let isDone = isDerived && (label.utf8.withContiguousStorageIfAvailable { Self.putDerived($0, &text) } ?? false)
    if !isDone, !isDerived || !Self.putFallback(type, &text) {
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

  private func isTaken(_ name: Range<Int>, _ text: borrowing TextBuffer) -> Bool {
    for other in names where text.isSame(other, name) { return true }
    return false
  }

  // MARK: A name from a label

  /// `setMaximumValue` gives `maximumValue`, `objectAtIndex` gives `index`, `initWithURL` gives `url`, `isKindOfClass`
  /// gives `aClass`. Writes nothing where no word is left that could name a thing.
  private static func putDerived(_ label: UnsafeBufferPointer<UInt8>, _ text: inout TextBuffer) -> Bool {
    var scan = WordScan(label)
    var wordCount = 0
    var first = 0..<0
    // The name begins behind the last preposition that something follows, or behind a verb at the beginning.
    var name = 0..<0
    var isPending = false
    var end = label.count
    while let word = scan.next() {
      wordCount += 1
      let code = Vocabulary.code(label, word)
      let isPreposition = Vocabulary.prepositions.contains(code)
      if wordCount == 1 {
        (first, name) = (word, word)
        isPending = isPreposition || Vocabulary.verbs.contains(code)
        continue
      }
      if isPending { name = word }
      isPending = isPreposition
      if !isPending { end = word.upperBound }
    }
    guard wordCount > 0 else { return false }
    if wordCount == 1 {
      // `with:` alone is the name that there is; `compare:` is none.
      guard !isPending || Vocabulary.prepositions.contains(Vocabulary.code(label, first)) else { return false }
      return putName(first, first.upperBound, of: label, &text)
    }
    if label[name].elementsEqual("Equal".utf8), label[first].elementsEqual("is".utf8) {
      text.append("other")
      return true
    }
    // `sortUsing:` has a verb and a preposition, and names nothing.
    guard !Vocabulary.prepositions.contains(Vocabulary.code(label, name)) else { return false }
    // `isDescendantOf:` ends in a preposition, which is no part of the name.
    return putName(name, isPending ? max(end, name.upperBound) : label.count, of: label, &text)
  }

  /// Writes the words from `word` up to `end`, the first in small letters, underscores left out.
  private static func putName(
    _ word: Range<Int>, _ end: Int, of label: UnsafeBufferPointer<UInt8>, _ text: inout TextBuffer
  ) -> Bool {
    guard !word.isEmpty, !label[word.lowerBound].isDigit else { return false }
    if word.upperBound >= end, Vocabulary.reserved.contains(Vocabulary.code(label, word)) {
      // A reserved word takes an article: `aClass`, `anInt`.
      let small = label[word.lowerBound] | 0x20
      text.append("aeiou".utf8.contains(small) ? "an" as StaticString : "a")
      text.append(byte: small & 0xDF)
      for byte in label[word].dropFirst() { text.append(byte: byte) }
      return true
    }
    for byte in label[word] { text.append(byte: byte.lowercased) }
    if word.upperBound < end {
      for byte in label[word.upperBound..<end] where byte != UInt8(ascii: "_") { text.append(byte: byte) }
    }
    return true
  }

  /// A name from the type, for labels that give none: `:` and `compare:`.
  private static func putFallback(_ node: EncodingNode?, _ text: inout TextBuffer) -> Bool {
    guard let node else { return false }
    switch (node.kind, node.code) {
    case (.block, _): text.append("block")
    case (.object, _): text.append("object")
    case (.scalar, ScalarType.selector.rawValue): text.append("aSelector")
    case (.scalar, ScalarType.classObject.rawValue): text.append("aClass")
    case (.pointer, _), (.characterPointer, _): text.append("pointer")
    case (.none, _): return false
    default: text.append("value")
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
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func next() -> Range<Int>? {
    while position < bytes.count, bytes[position] == UInt8(ascii: "_") { position += 1 }
    guard position < bytes.count else { return nil }
    let start = position
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "_") {
      if bytes[position].isCapital {
        let next = position + 1 < bytes.count ? bytes[position + 1] : 0
        // The last of several capitals begins the next word: `URLString`.
        if !bytes[position - 1].isCapital || next >= UInt8(ascii: "a") && next <= UInt8(ascii: "z") { break }
      }
      position += 1
    }
    return start..<position
  }
}

/// Words that are no names. Each is its small letters packed into eight bytes; longer words are in none of the lists.
private enum Vocabulary {
  /// A list of words.
  struct Words {
    private let codes: [UInt64]

    init(_ words: String) {
      codes = words.split(separator: " ").map { word in word.utf8.reduce(0) { $0 << 8 | UInt64($1) } }.sorted()
    }

    /// Binary search: the lists have some fifty words.
    func contains(_ code: UInt64) -> Bool {
      var low = 0
      var high = codes.count
      while low < high {
        let middle = (low + high) / 2
        if codes[middle] < code { low = middle + 1 } else { high = middle }
      }
      return low < codes.count && codes[low] == code && code != 0
    }
  }

  /// Words after which the name of the argument begins.
  static let prepositions = Words(
    "with for from to at in into of by on onto using as and before after when via through between than inside outside "
      + "near under over without")

  /// Words that say what is done and not to what.
  static let verbs = Words(
    "set get add insert remove replace init is has can should will did make perform write read append delete show hide "
      + "find copy move draw convert open close load save send create start stop begin end update use take put do select "
      + "sort register schedule encode decode dispatch present dismiss push pop fetch apply handle process validate does "
      + "responds conforms compare exchange increase decrease")

  /// Words that cannot name an argument, C's, C++'s and Objective-C's.
  static let reserved = Words(
    "auto bool break bycopy byref case char class const continue default do double else enum extern float for goto id if "
      + "in inline inout int long oneway out register restrict return self short signed sizeof static struct super switch "
      + "typedef union unsigned void volatile while new delete this operator template protocol selector")

  /// A word as a number; 0 for words of more than eight letters.
  static func code(_ bytes: UnsafeBufferPointer<UInt8>, _ word: Range<Int>) -> UInt64 {
    guard word.count <= 8 else { return 0 }
    var code: UInt64 = 0
    for index in word { code = code << 8 | UInt64(bytes[index].lowercased) }
    return code
  }
}
