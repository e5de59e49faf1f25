import MeasurementText

/// Pieces of tables.
enum TableText {
  /// Text with blanks in front, up to a width.
  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Text with blanks behind, up to a width.
  static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// A share of one as `31 %`.
  static func percent(_ share: Double) -> String { NumberText.fixed(share * 100, decimals: 0) + " %" }
}
