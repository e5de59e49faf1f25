/// A selector taken apart: `-setValue:forKey:` is an instance method of two arguments with the labels `setValue`, `forKey`.
struct ParsedSelector {
  let name: String
  let isClassMethod: Bool
  /// The pieces before the colons; the whole name where it takes nothing.
  let labels: [Substring]

  init(_ text: String) {
    var rest = text[...]
    // `-[Class name:]`, as stacks and class dumps print it.
    let isBracketed = (rest.hasPrefix("-[") || rest.hasPrefix("+[")) && rest.hasSuffix("]")
    isClassMethod = rest.hasPrefix("+")
    if rest.hasPrefix("+") || rest.hasPrefix("-") { rest = rest.dropFirst() }
    if isBracketed, let space = rest.firstIndex(of: " ") {
      rest = rest[rest.index(after: space)...].dropLast()
    }
    name = String(rest)
    labels =
      rest.contains(":")
      ? rest.split(separator: ":", omittingEmptySubsequences: false).dropLast() : [rest]
  }

  var takesArguments: Bool { name.contains(":") }
  var argumentCount: Int { takesArguments ? labels.count : 0 }
}
