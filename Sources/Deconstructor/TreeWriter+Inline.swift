// Floor 4, text: values on one line, and colours.

extension TreeWriter {
  /// Writes the nodes from `start` to `end`, the first with all others in it: `Line(sku: "A-1", quantity: 2)`.
  mutating func writeInline(_ start: Int, _ end: Int, showsType: Bool) {
    open.cut(to: 0)
    var isFirst = true
    for index in start..<end {
      let row = storage.nodes[index]
      while let last = open.last, last.depth >= row.depth {
        output.append(last.closing)
        open.removeLast()
        isFirst = false
      }
      if index > start {
        if !isFirst { output.append(", ") }
        writeInlineLabel(row, index)
      }
      let hasParts = index + 1 < end && storage.nodes[index + 1].depth > row.depth
      let isTyped = index == start ? showsType : row.dynamicType > 0 || row.kind == .structure
      let bracket = writeInlineValue(row, hasParts: hasParts, isTyped: isTyped)
      isFirst = bracket != nil
      if let bracket { open.append(OpenBracket(depth: row.depth, closing: bracket)) }
    }
    while let last = open.last {
      output.append(last.closing)
      open.removeLast()
    }
  }

  private mutating func writeInlineLabel(_ row: NodeRow, _ index: Int) {
    if row.kind == .omission || row.kind == .group, row.labelForm != .index { return }
    writeModifiers(withoutLet(row), index)
    switch row.labelForm {
    case .name:
      // An unlabelled part of a tuple is called `.0`.
      let name = storage.names.utf8(row.label)
      if name.first == UInt8(ascii: ".") { return }
      output.append(contentsOf: name)
      output.append(": ")
    case .key:
      output.append(contentsOf: keyText(at: row.label, in: storage.texts.rows))
      output.append(": ")
    default: break
    }
  }

  private func withoutLet(_ row: NodeRow) -> NodeRow {
    var row = row
    row.flags.remove(.isLet)
    return row
  }

  /// Writes a value, and the bracket that its parts stand in; the one that closes it.
  private mutating func writeInlineValue(_ row: NodeRow, hasParts: Bool, isTyped: Bool) -> UInt8? {
    let type = row.dynamicType > 0 ? row.dynamicType : row.declaredType
    var opening: StaticString = "("
    var closing = UInt8(ascii: ")")
    switch row.kind {
    case .structure:
      if isTyped { writeType(type) }
      // The text of a form that the type has chosen.
      if row.textLength > 0 {
        if isTyped { output.append(" ") }
        output.append(contentsOf: storage.text(of: row))
        if !hasParts { return nil }
      }
    case .tuple: break
    case .list, .set, .dictionary:
      opening = "["
      closing = UInt8(ascii: "]")
      if !hasParts {
        output.append(row.count > 0 ? "[…]" : row.kind == .dictionary ? "[:]" : "[]" as StaticString)
        writeCast(row, isTyped: isTyped)
        return nil
      }
    case .object:
      writeObject(row, isLabelled: false)
      if !hasParts { return nil }
    case .closure, .group:
      output.append(row.kind == .group ? (row.declaredType > 0 ? "from " : "") : "closure")
      if row.kind == .group { writeType(row.declaredType) }
      if row.sight == .cycle { output.append(", a cycle") }
      if !hasParts { return nil }
    case .omission:
      output.append("…")
      return nil
    default:
      if row.dynamicType > 0, row.textLength > 0, storage.text(of: row).first == UInt8(ascii: ".") { writeType(type) }
      output.append(contentsOf: storage.text(of: row))
      if !hasParts {
        writeCast(row, isTyped: isTyped)
        return nil
      }
    }
    output.append(opening)
    if !hasParts { output.append(closing) }
    return hasParts ? closing : nil
  }

  /// Says the type of a literal that Swift would take for another one.
  private mutating func writeCast(_ row: NodeRow, isTyped: Bool) {
    guard isTyped, row.dynamicType > 0, row.kind != .enumeration else { return }
    let name = storage.names.utf8(row.dynamicType)
    let text = storage.text(of: row)
    if text.first == UInt8(ascii: ".") { return }
    for inferred in ["Int", "String", "Double", "Bool"] where name.elementsEqual(inferred.utf8) { return }
    output.append(" as ")
    writeType(row.dynamicType)
  }

  // MARK: Colours

  enum Style {
    case type, reference, cycle, warning, remark

    var sequence: StaticString {
      switch self {
      case .type: "\u{1B}[36m"
      case .reference: "\u{1B}[1m"
      case .cycle: "\u{1B}[1;31m"
      case .warning: "\u{1B}[33m"
      case .remark: "\u{1B}[2m"
      }
    }
  }

  @inline(__always)
  mutating func writeStyled(_ style: Style, _ body: (inout PlainTable<UInt8>) -> Void) {
    if usesColour { output.append(style.sequence) }
    body(&output)
    if usesColour { output.append("\u{1B}[0m") }
  }

  @inline(__always)
  mutating func writeType(_ number: UInt32) {
    if usesColour { output.append(Style.type.sequence) }
    output.append(contentsOf: storage.names.utf8(number))
    if usesColour { output.append("\u{1B}[0m") }
  }
}
