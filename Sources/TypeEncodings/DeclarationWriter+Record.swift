// Structs and unions in declarations: by tag, or with their members.

extension DeclarationWriter {
  /// `struct Tag`, `struct Tag { int x0; }`, `struct { int x0; }`, `struct (anonymous)`.
  mutating func putRecord(_ index: Int) {
    let node = nodes[index]
    put(node.code == UInt8(ascii: "(") ? "union" : "struct")
    needsSpace = true
    let isUntagged = tree.text(node.start + 1, node.payload) == "?"
    let hasMembers = Int(node.next) > index + 1
    if !isUntagged {
      putSource(node.start + 1, node.payload)
    } else if !hasMembers {
      put("(anonymous)")
    }
    if hasMembers, isUntagged || level < style.expandedLevels { putMembers(index, isUntagged: isUntagged) }
    needsSpace = true
  }

  private mutating func putMembers(_ record: Int, isUntagged: Bool) {
    needsSpace = true
    put("{")
    let end = Int(nodes[record].next)
    let outer = level
    level += 1
    var index = record + 1
    var number = 0
    while index < end {
      putMemberStart()
      putMember(&index, number)
      text.append(";")
      number += 1
    }
    level = outer
    putMembersEnd()
  }

  /// Writes the member at `index` and moves on to the next.
  private mutating func putMember(_ index: inout Int, _ number: Int) {
    var declarator = Declarator.member(number)
    if nodes[index].kind == .name {
      declarator = .source(start: nodes[index].start + 1, length: nodes[index].payload)
      index += 1
    } else if nodes[index].kind == .bits, tree.bitField(of: index).width == 0 {
      // C allows no name for a bit-field of width 0.
      declarator = .none
    }
    declare(index, declarator)
    index = Int(nodes[index].next)
  }

  private mutating func putMemberStart() {
    switch style.layout {
    case .oneLine: text.append(" ")
    case .indented(let width):
      text.append("\n")
      text.append(String(repeating: " ", count: max(0, width) * level))
    }
    needsSpace = false
  }

  private mutating func putMembersEnd() {
    switch style.layout {
    case .oneLine: text.append(" }")
    case .indented(let width):
      text.append("\n")
      text.append(String(repeating: " ", count: max(0, width) * level))
      text.append("}")
    }
  }
}
