import Symbolication

/// Captured types as a person writes them. What a closure captures is described in the types of the compiler's intermediate
/// language, with conventions that say nothing to a reader: `@callee_guaranteed () -> (@unowned Swift.Int)`.
enum CaptureText {
  /// `() -> Int` for the type above; `weak Watched?` and `var Int` for captured variables.
  static func simplified(_ type: String) -> String {
    var words: [Substring] = []
    for var word in ModuleNames.removed(from: type).split(separator: " ", omittingEmptySubsequences: false) {
      var opening = ""
      while word.first == "(" {
        opening.append("(")
        word = word.dropFirst()
      }
      switch word {
      case "@async": words.append(Substring(opening + "async"))
      case _ where word.hasPrefix("@"):
        // A bracket before a convention belongs to what follows it.
        if !opening.isEmpty { words.append(Substring(opening)) }
      default: words.append(opening + word)
      }
    }
    let text = tidied(words.joined(separator: " "))
    // A captured variable has a box of its own: `{ var Int }`.
    guard text.hasPrefix("{ "), text.hasSuffix(" }") else { return text }
    let variable = text.dropFirst(2).dropLast(2)
    return variable.hasPrefix("var weak ") ? String(variable.dropFirst(4)) : String(variable)
  }

  /// Without blanks behind opening brackets, and without brackets around a single result.
  private static func tidied(_ text: String) -> String {
    var text = text.replacing("( ", with: "(")
    if text.hasPrefix("async (") {
      text = String(text.dropFirst("async ".count)).replacing(") -> ", with: ") async -> ")
    }
    guard let arrow = text.ranges(of: " -> (").first, text.hasSuffix(")"), !text.contains(",") else {
      return text
    }
    let result = text[arrow.upperBound...].dropLast()
    return result.isEmpty || (result.contains("(") && result != "()")
      ? text : text[..<arrow.lowerBound] + " -> " + result
  }
}
