// Text passed through, with what is encoded or mangled in it decoded.

import Symbolication
import TypeEncodings

enum DecodeFilter {
  /// The line with its mangled names demangled and its encodings written as declarations.
  static func decoded(_ line: String, options: DecodeOptions) -> String {
    let pieces = replacements(in: line, options: options)
    guard !pieces.isEmpty else { return line }
    let bytes = Array(line.utf8)
    var output: [UInt8] = []
    var done = 0
    for piece in pieces where piece.range.lowerBound >= done {
      output.append(contentsOf: bytes[done..<piece.range.lowerBound])
      output.append(contentsOf: piece.text.utf8)
      done = piece.range.upperBound
    }
    output.append(contentsOf: bytes[done...])
    return String(decoding: output, as: UTF8.self)
  }

  private static func replacements(in line: String, options: DecodeOptions) -> [(range: Range<Int>, text: String)] {
    var pieces = options.kind == nil || options.kind == .swift || options.kind == .cxx ? names(in: line) : []
    if options.kind != .swift, options.kind != .cxx {
      for match in EmbeddedEncodings.find(in: line)
      where options.kind == nil || options.kind?.rawValue == match.kind.rawValue {
        var forced = options
        forced.kind = DecodeKind(rawValue: match.kind.rawValue)
        let decoded = LineDecoder(options: forced).decode(match.text)
        if !decoded.hasFailed { pieces.append((match.range, decoded.text)) }
      }
    }
    return pieces.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Mangled names: words that begin as such. Symbols with encodings in them are words of another alphabet.
  private static func names(in line: String) -> [(range: Range<Int>, text: String)] {
    guard line.utf8.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "_") }) else { return [] }
    let bytes = Array(line.utf8)
    var pieces: [(range: Range<Int>, text: String)] = []
    var index = 0
    while index < bytes.count {
      guard isSymbolByte(bytes[index]) else {
        index += 1
        continue
      }
      var end = index
      while end < bytes.count, isSymbolByte(bytes[end]) { end += 1 }
      if end - index >= 4, bytes[index] == UInt8(ascii: "$") || bytes[index] == UInt8(ascii: "_") {
        let name = String(decoding: bytes[index..<end], as: UTF8.self)
        if let text = Demangler.demangled(name) { pieces.append((index..<end, text)) }
      }
      index = end
    }
    return pieces
  }

  private static func isSymbolByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
      true
    default: false
    }
  }
}
