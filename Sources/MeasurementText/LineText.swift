/// Text from outside, such as a command line or a file's name, made fit to stand in a line of a report.
public enum LineText {
  /// `text` on one line of at most `limit` characters: control characters become `?`, and what is too long ends in `…`.
  /// No more of it is looked at than is kept, however long it is.
  public static func bounded(_ text: String, limit: Int = 60) -> String {
    var plain = ""
    var count = 0
    for scalar in text.unicodeScalars {
      if count == limit {
        if !plain.isEmpty { plain.unicodeScalars.removeLast() }
        return plain + "…"
      }
      plain.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "?" : scalar)
      count += 1
    }
    return plain
  }
}
