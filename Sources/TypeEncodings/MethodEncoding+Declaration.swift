extension MethodEncoding {
  /// The method as a header has it: `- (void)setValue:(id)value forKey:(NSString *)key;`.
  ///
  /// Where selector and types disagree on the number of arguments, missing types are `/* unknown */`, and a comment says
  /// what is odd.
  public func declaration(style: DeclarationStyle = DeclarationStyle()) -> String {
    declaration(style: style, withNotes: true)
  }

  func declaration(style: DeclarationStyle, withNotes: Bool) -> String {
    var writer = DeclarationWriter(tree: tree, style: style)
    writer.text = isClassMethod ? "+ (" : "- ("
    let parsed = ParsedSelector(selector)
    let hasTypes = !tree.source.isEmpty
    if hasTypes { writer.declare(result.type.index, .none) } else { writer.text += "id" }
    writer.text += ")"
    if parsed.takesArguments {
      let names = ArgumentNames.names(for: parsed.labels, types: arguments.map(\.type), style: style)
      for (position, label) in parsed.labels.enumerated() {
        if position > 0 { writer.text += " " }
        writer.text += label + ":("
        if position < arguments.count {
          writer.declare(arguments[position].type.index, .none)
        } else {
          writer.text += hasTypes ? "/* unknown */" : "id"
        }
        writer.text += ")" + names[position]
      }
    } else {
      writer.text += parsed.name
    }
    writer.text += ";"
    if withNotes, !notes.isEmpty {
      writer.text += " // " + notes.map(\.description).joined(separator: "; ")
    }
    return writer.text
  }
}
