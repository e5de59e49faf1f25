// What a person reads when a line could not be decoded.

import MeasurementText
import ToolSupport
import TypeEncodings

enum DecodeMessage {
  private static let window = 100

  /// The mistake, the text, and a caret under the byte:
  ///
  ///     error: a struct that is never closed
  ///       {CGRect={CGPoint=dd
  ///                          ^ byte 19: expected a member or '}', found the end
  static func block(for line: DecodedLine) -> String {
    guard let error = line.error else {
      return "error: \(line.problem ?? "this could not be decoded")\n  \(LineText.bounded(line.input, limit: window))\n"
    }
    let (text, column) = excerpt(of: line.input, around: error.offset)
    return "error: \(error.summary)\n  \(text)\n  " + String(repeating: " ", count: column)
      + "^ byte \(error.offset): expected \(error.expected)\(error.found == nil ? "" : ", found \(error.foundText)")\n"
  }

  /// The text on one line, whatever is in it.
  static func oneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
  }

  /// The part of a text around a byte, and the column of the byte in it.
  private static func excerpt(of text: String, around offset: Int) -> (text: String, column: Int) {
    let bytes = text.utf8
    let place = bytes.index(bytes.startIndex, offsetBy: max(0, offset), limitedBy: bytes.endIndex) ?? bytes.endIndex
    let boundary = place.samePosition(in: text.unicodeScalars) ?? place
    let before = oneLine(String(text.unicodeScalars[..<boundary].suffix(window * 2 / 3)))
    let after = oneLine(String(text.unicodeScalars[boundary...].prefix(max(0, window - before.unicodeScalars.count))))
    let isCut = text.unicodeScalars[..<boundary].count > before.unicodeScalars.count
    let isCutBehind = text.unicodeScalars[boundary...].count > after.unicodeScalars.count
    let shown = (isCut ? "…" : "") + before + after + (isCutBehind ? "…" : "")
    return (shown, before.count + (isCut ? 1 : 0))
  }
}
