// Structs and unions in declarations: by tag, or with their members.

extension DeclarationWriter {
  /// Whether a record is written with its members: to the levels that were asked for, and where it has no tag.
  func showsMembers(_ index: Int) -> Bool {
    guard Int(nodes[index].next) > index + 1 else { return false }
    return level < style.expandedLevels || isUntagged(index)
  }

  private func isUntagged(_ index: Int) -> Bool {
    let node = nodes[index]
    return node.payload == 0 || node.payload == 1 && tree.text(node.start + 1, 1) == "?"
  }

  /// `struct Tag`, `struct (anonymous)`; or the opening brace as well, with the members to follow.
  mutating func putRecord(_ index: Int) {
    let node = nodes[index]
    let isShown = showsMembers(index)
    put(node.code == UInt8(ascii: "(") ? "union" : "struct")
    needsSpace = true
    if !isUntagged(index) {
      putSource(node.start + 1, node.payload)
    } else if !isShown {
      put("(anonymous)")
    }
    needsSpace = true
    guard isShown else { return }
    put("{")
    level += 1
    jobs.append(.members(record: index, next: index + 1, number: 0))
  }

  /// Goes on with the member at `next`, or closes the record behind the last.
  mutating func putMembers(_ record: Int, _ next: Int, _ number: Int) {
    if number > 0 { text.append(";") }
    guard next < Int(nodes[record].next) else {
      level -= 1
      putLineStart()
      text.append("}")
      needsSpace = true
      return
    }
    var index = next
    var declarator = Declarator.member(number)
    if nodes[index].kind == .name {
      declarator = .source(start: nodes[index].start + 1, length: nodes[index].payload)
      index += 1
    } else if nodes[index].kind == .bits, tree.bitField(of: index).width == 0 {
      // C allows no name for a bit-field of width 0.
      declarator = .none
    }
    putLineStart()
    jobs.append(.members(record: record, next: Int(nodes[index].next), number: number + 1))
    jobs.append(.type(index, declarator))
  }

  private mutating func putLineStart() {
    switch style.layout {
    case .oneLine: text.append(" ")
    case .indented(let width):
      text.append("\n")
      text.append(String(repeating: " ", count: max(0, min(width, 16)) * level))
    }
    needsSpace = false
  }
}
