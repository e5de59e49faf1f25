import MeasurementText

/// How the name of a type is written in a row of a table.
package enum TypeLabel {
  /// The type with its module, and its generic arguments without theirs: `Swift._DictionaryStorage<Int, Session>`. At most
  /// 100 characters, on one line.
  package static func text(_ type: String) -> String {
    guard let bracket = type.firstIndex(of: "<") else { return LineText.bounded(type, limit: 100) }
    return LineText.bounded(String(type[..<bracket]) + ModuleNames.removed(from: String(type[bracket...])), limit: 100)
  }
}
