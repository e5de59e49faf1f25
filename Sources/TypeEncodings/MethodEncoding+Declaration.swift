extension MethodEncoding {
  /// The method as a header has it: `- (void)setValue:(id)value forKey:(NSString *)key;`.
  ///
  /// Where selector and types disagree on the number of arguments, missing types are `/* unknown */`, and a comment says
  /// what is odd.
  public func declaration(style: DeclarationStyle = DeclarationStyle()) -> String {
    DeclarationWriter.text(tree, style: style) { writer in
      writer.text.append(isClassMethod ? "+ (" as StaticString : "- (")
      if tree.source.isEmpty { writer.text.append("id") } else { writer.declare(0, .none) }
      writer.text.append(")")
      let count = ParsedSelector.argumentCount(of: selectorText)
      if count > 0 { putLabels(count, &writer) } else { writer.text.append(selectorText) }
      writer.text.append(";")
      let notes = notes
      if !notes.isEmpty { writer.text.append(" // " + notes.map(\.description).joined(separator: "; ")) }
    }
  }

  /// Each label with its argument: `setValue:(id)value forKey:(NSString *)key`.
  private func putLabels(_ count: Int, _ writer: inout DeclarationWriter) {
    var names = ArgumentNames(style: writer.style, count: count)
    var argument = tree.firstArgument
    let selector = selectorText
    var start = selector.utf8.startIndex
    for number in 1...count {
      guard let colon = selector.utf8[start...].firstIndex(of: UInt8(ascii: ":")) else { return }
      let label = selector[start..<colon]
      start = selector.utf8.index(after: colon)
      if number > 1 { writer.text.append(" ") }
      writer.text.append(label)
      writer.text.append(":(")
      let hasType = argument < tree.nodes.count && !tree.source.isEmpty
      if hasType {
        writer.declare(argument, .none)
      } else {
        writer.text.append(tree.source.isEmpty ? "id" as StaticString : "/* unknown */")
      }
      writer.text.append(")")
      names.put(label, number: number, type: hasType ? tree.nodes[argument] : nil, &writer.text)
      if hasType { argument = tree.typeAfter(argument) }
    }
  }
}

extension EncodingTree {
  /// The first type behind the result, `self` and `_cmd`.
  fileprivate var firstArgument: Int {
    var index = 0
    for _ in 0..<3 where index < nodes.count { index = typeAfter(index) }
    return index
  }
}
