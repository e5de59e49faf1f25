/// A selector taken apart: `-setValue:forKey:` is an instance method of two arguments with the labels `setValue`, `forKey`.
enum ParsedSelector {
  /// The selector without its sign. `-[Class name:]`, as stacks and class dumps print it,
  /// is read too.
  static func name(in text: String) -> Substring {
    guard let sign = text.utf8.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else {
      return text[...]
    }
    var rest = text.dropFirst()
    if rest.utf8.first == UInt8(ascii: "["), rest.utf8.last == UInt8(ascii: "]"),
      let space = rest.utf8.firstIndex(of: UInt8(ascii: " "))
    {
      rest = rest[rest.utf8.index(after: space)...].dropLast()
    }
    return rest
  }

  /// How many arguments a selector takes.
  static func argumentCount(of selector: Substring) -> Int {
    selector.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: ":") ? 1 : 0) }
  }
}
