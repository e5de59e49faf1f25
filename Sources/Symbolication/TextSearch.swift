#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Looks for a text within another byte by byte. The library's own search prepares tables for long texts; for names of some
/// hundred bytes that costs more than the search.
package enum TextSearch {
  /// Where `piece` first occurs in `text`.
  package static func firstRange(of piece: String, in text: some StringProtocol) -> Range<String.Index>? {
    let found = text.utf8.withContiguousStorageIfAvailable { place(of: piece, in: UnsafeRawBufferPointer($0)) }
    let known = found ?? Array(text.utf8).withUnsafeBytes { place(of: piece, in: $0) }
    guard let offset = known else { return nil }
    let start = text.utf8.index(text.startIndex, offsetBy: offset)
    return start..<text.utf8.index(start, offsetBy: piece.utf8.count)
  }

  /// Whether `piece` occurs in `text`.
  package static func contains(_ piece: String, in text: String) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { place(of: piece, in: UnsafeRawBufferPointer($0)) != nil }
      ?? (firstRange(of: piece, in: text) != nil)
  }

  /// `text` with each `piece` replaced.
  package static func replacing(_ piece: String, with replacement: String, in text: String) -> String {
    guard contains(piece, in: text), !piece.isEmpty else { return text }
    var result = ""
    var rest = text[...]
    while let range = firstRange(of: piece, in: rest) {
      result += rest[..<range.lowerBound] + replacement
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  private static func place(of piece: String, in text: UnsafeRawBufferPointer) -> Int? {
    var piece = piece
    return piece.withUTF8 { place(of: UnsafeRawBufferPointer($0), in: text) }
  }

  /// Where bytes first occur in others, from an offset on; `nil` also for none. By the first byte, then by the rest.
  package static func place(
    of piece: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from offset: Int = 0
  ) -> Int? {
    guard let first = piece.first, let start = text.baseAddress, let pieceStart = piece.baseAddress else { return nil }
    var index = offset
    while index + piece.count <= text.count {
      guard let found = memchr(start + index, Int32(first), text.count - piece.count - index + 1) else { return nil }
      index = UnsafeRawPointer(found) - start
      if memcmp(found, pieceStart, piece.count) == 0 { return index }
      index += 1
    }
    return nil
  }
}
