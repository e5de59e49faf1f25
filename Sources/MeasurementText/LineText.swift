/// Text from outside, such as a command line or a file's name, made fit to stand in a line of a report.
public enum LineText {
  /// `text` on one line of at most `limit` characters: control characters become `?`, and what is too long ends in `…`.
  public static func bounded(_ text: String, limit: Int = 100) -> String {
    let plain = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) }
    return plain.count <= limit ? String(plain) : String(plain.prefix(max(limit - 1, 0))) + "…"
  }
}
