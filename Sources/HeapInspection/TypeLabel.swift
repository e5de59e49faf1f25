import MeasurementText
import Symbolication

/// How types are written in tables.
enum TypeLabel {
  /// The type with its module, and its generic arguments without theirs: `Swift._DictionaryStorage<Int, Session>`.
  static func text(_ type: String) -> String {
    guard let bracket = type.firstIndex(of: "<") else { return LineText.bounded(type, limit: 100) }
    return LineText.bounded(String(type[..<bracket]) + ModuleNames.removed(from: String(type[bracket...])), limit: 100)
  }

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
