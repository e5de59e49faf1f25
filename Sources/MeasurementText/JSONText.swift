/// JSON as text, written piece by piece: no Foundation, so a small program stays small.
package struct JSONText {
  package private(set) var text = ""
  private var needsComma = false
  private var needsNewLine = false

  package init() {}

  /// Writes `{ … }` around what the body writes.
  package mutating func object(_ body: (inout JSONText) -> Void) { enclose("{", "}", body) }
  /// Writes `[ … ]` around what the body writes.
  package mutating func array(_ body: (inout JSONText) -> Void) { enclose("[", "]", body) }

  /// Writes a key; its value must follow.
  package mutating func key(_ name: String) {
    value(quoted: name)
    text += ":"
    needsComma = false
  }

  package mutating func value(_ string: String) { value(quoted: string) }
  package mutating func value(_ number: some BinaryInteger) { write(String(number)) }
  package mutating func null() { write("null") }
  /// Writes text that is JSON already.
  package mutating func value(verbatim json: String) { write(json) }

  package mutating func field(_ name: String, _ string: String) {
    key(name)
    value(string)
  }

  package mutating func field(_ name: String, _ number: some BinaryInteger) {
    key(name)
    value(number)
  }

  /// What comes next stands on a line of its own, for those who read a document or its difference by the line.
  package mutating func newLine() { needsNewLine = true }

  private mutating func write(_ json: String) {
    if needsComma { text += "," }
    if needsNewLine { text += "\n" }
    text += json
    needsComma = true
    needsNewLine = false
  }

  private mutating func enclose(_ opening: String, _ closing: String, _ body: (inout JSONText) -> Void) {
    write(opening)
    needsComma = false
    body(&self)
    // No comma before what closes.
    needsComma = false
    write(closing)
  }

  /// RFC 8259, 7: quotation mark, backslash and control characters must be escaped.
  private mutating func value(quoted string: String) {
    var json = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\r": json += "\\r"
      case "\t": json += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    write(json + "\"")
  }
}
