/// A demangled text, read by its brackets.
package struct DemangledText {
  package let bytes: [UInt8]

  package init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

  package func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  package func hasText(_ piece: String, at index: Int) -> Bool {
    index <= bytes.count && bytes[index...].starts(with: piece.utf8)
  }

  /// Where the bracket at `start` closes, its closing byte included; the end of the text where it does not.
  package func closing(_ start: Int) -> Int {
    var level = 0
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): level += 1
      case UInt8(ascii: ">") where index > 0 && bytes[index - 1] == UInt8(ascii: "-"): break
      case UInt8(ascii: ")"), UInt8(ascii: ">"), UInt8(ascii: "]"):
        level -= 1
        if level <= 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return bytes.count
  }

  /// The first place of a text outside brackets, from `start` on.
  package func find(_ piece: String, from start: Int) -> Int? {
    let first = piece.utf8.first ?? 0
    var index = start
    while index < bytes.count {
      if bytes[index] == first, hasText(piece, at: index) { return index }
      switch bytes[index] {
      case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "["): index = closing(index)
      default: index += 1
      }
    }
    return nil
  }

  /// The pieces of a list between brackets, split at its own commas.
  package func list(_ range: Range<Int>) -> [String] {
    guard !range.isEmpty else { return [] }
    let inner = DemangledText(text(range))
    var pieces: [String] = []
    var start = 0
    while let comma = inner.find(", ", from: start) {
      pieces.append(inner.text(start..<comma))
      start = comma + 2
    }
    pieces.append(inner.text(start..<inner.bytes.count))
    return pieces
  }
}
