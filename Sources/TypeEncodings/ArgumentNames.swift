/// Names for the arguments of a method, made from its selector: `initWithFrame:style:` takes `frame` and `style`.
enum ArgumentNames {
  /// Words after which the name of the argument begins.
  private static let prepositions: Set<Substring> = [
    "with", "for", "from", "to", "at", "in", "into", "of", "by", "on", "onto", "using", "as", "and", "before", "after",
    "when", "via", "through", "between", "than", "inside", "outside", "near", "under", "over", "without",
  ]

  /// Words that say what is done and not to what.
  private static let verbs: Set<Substring> = [
    "set", "get", "add", "insert", "remove", "replace", "init", "is", "has", "can", "should", "will", "did", "make",
    "perform", "write", "read", "append", "delete", "show", "hide", "find", "copy", "move", "draw", "convert", "open",
    "close", "load", "save", "send", "create", "start", "stop", "begin", "end", "update", "use", "take", "put", "do",
    "select", "enumerate", "sort", "register", "schedule", "encode", "decode", "dispatch", "present", "dismiss", "push",
    "pop", "fetch", "apply", "handle", "process", "validate", "does", "responds", "conforms", "increment", "decrement",
    "compare", "exchange", "increase", "decrease", "mutable",
  ]

  /// Words that cannot name an argument, C's and Objective-C's.
  private static let reserved: Set<String> = [
    "auto", "bool", "break", "bycopy", "byref", "case", "char", "class", "const", "continue", "default", "do", "double",
    "else", "enum", "extern", "float", "for", "goto", "id", "if", "in", "inline", "inout", "int", "long", "oneway",
    "out", "register", "restrict", "return", "self", "short", "signed", "sizeof", "static", "struct", "super", "switch",
    "typedef", "union", "unsigned", "void", "volatile", "while", "new", "delete", "this", "operator", "template",
    "namespace", "protocol", "selector",
  ]

  /// One name an argument, no two alike.
  static func names(for labels: [Substring], types: [EncodedType], style: DeclarationStyle) -> [String] {
    guard style.argumentNames == .derived else { return labels.indices.map { "arg\($0 + 1)" } }
    var names: [String] = []
    for (position, label) in labels.enumerated() {
      var name =
        derived(from: label) ?? fallback(position < types.count ? types[position] : nil) ?? "arg\(position + 1)"
      if names.contains(name) {
        var number = 2
        while names.contains(name + String(number)) { number += 1 }
        name += String(number)
      }
      names.append(name)
    }
    return names
  }

  /// `setMaximumValue` gives `maximumValue`, `objectAtIndex` gives `index`, `initWithURL` gives `url`, `isKindOfClass`
  /// gives `aClass`. `nil` where nothing is left that could name a thing.
  static func derived(from label: Substring) -> String? {
    var words = words(of: label)
    guard !words.isEmpty else { return nil }
    // A label that ends in a preposition (`isEqualTo`) names nothing behind it.
    while let last = words.last, words.count > 1, prepositions.contains(Substring(last.lowercased())) {
      words.removeLast()
    }
    if let place = words.lastIndex(where: { prepositions.contains(Substring($0.lowercased())) }),
      place + 1 < words.count
    {
      words.removeFirst(place + 1)
    } else if words.count > 1, verbs.contains(words[0]) {
      words.removeFirst()
    }
    if words.count == 1, words[0] == label, verbs.contains(words[0]) { return nil }
    if words.count == 1, label.hasPrefix("is"), words[0] == "Equal" { return "other" }
    guard let first = words.first, first.utf8.first.map({ $0 >= 0x80 || !$0.isDigit }) ?? false else { return nil }
    let name = first.lowercased() + words.dropFirst().joined()
    guard reserved.contains(name) else { return name }
    let isVowel = name.utf8.first.map { "aeiou".utf8.contains($0) } ?? false
    return (isVowel ? "an" : "a") + name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The words of a camel-case name; capitals in a row are one word (`URLString` is `URL`, `String`).
  private static func words(of label: Substring) -> [Substring] {
    var words: [Substring] = []
    let letters = Array(label.unicodeScalars)
    var start = label.unicodeScalars.startIndex
    var index = start
    func isUpper(_ place: Int) -> Bool { letters.indices.contains(place) && letters[place].properties.isUppercase }
    for place in letters.indices {
      let next = label.unicodeScalars.index(after: index)
      if letters[place] == "_" {
        if start < index { words.append(label[start..<index]) }
        start = next
      } else if place > 0, isUpper(place), start < index {
        let continuesCapitals =
          isUpper(place - 1) && !(letters.indices.contains(place + 1) && isLower(letters[place + 1]))
        if !continuesCapitals {
          words.append(label[start..<index])
          start = index
        }
      }
      index = next
    }
    if start < index { words.append(label[start..<index]) }
    return words
  }

  private static func isLower(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isLowercase }

  /// A name from the type, for labels that give none: `:` and `compare:`.
  private static func fallback(_ type: EncodedType?) -> String? {
    guard let type else { return nil }
    switch type.kind {
    case .block: return "block"
    case .object: return "object"
    case .scalar(.selector): return "aSelector"
    case .scalar(.classObject): return "aClass"
    default: return nil
    }
  }
}
