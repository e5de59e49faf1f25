import MeasurementText

/// How the name of a type is written in a row of a table.
package enum TypeLabel {
  /// The type with its module, and its generic arguments without theirs: `Swift._DictionaryStorage<Int, Session>`. At most
  /// 100 characters, on one line.
  package static func text(_ type: String) -> String {
    var label = ""
    var argumentStart = type.startIndex
    var depth = 0
    for index in type.indices {
      switch type[index] {
      case "<":
        if depth == 0 {
          label += type[argumentStart...index]
          argumentStart = type.index(after: index)
        }
        depth += 1
      // The arrow of a function type closes nothing.
      case ">" where depth > 0 && (index == type.startIndex || type[type.index(before: index)] != "-"):
        depth -= 1
        if depth == 0 {
          label += ModuleNames.removed(from: String(type[argumentStart..<index]))
          argumentStart = index
        }
      default: break
      }
    }
    return LineText.bounded(label + type[argumentStart...], limit: 100)
  }
}
