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
    add(.members(record: index, next: index + 1, number: 0))
  }

  /// Goes on with the member at `next`, up to one that has types inside, or closes the record behind the last.
  mutating func putMembers(_ record: Int, _ next: Int, _ number: Int) {
    let end = Int(nodes[record].next)
    var (next, number) = (next, number)
    if number > 0 { text.append(byte: UInt8(ascii: ";")) }
    while next < end {
      let waiting = jobs.count
      let index = beginMember(next, number)
      next = Int(nodes[index].next)
      number += 1
      guard jobs.count == waiting else {
        // What the member has put up comes first.
        jobs.insert(.members(record: record, next: next, number: number), at: waiting)
        return
      }
      text.append(byte: UInt8(ascii: ";"))
    }
    level -= 1
    putLineStart()
    text.append(byte: UInt8(ascii: "}"))
    needsSpace = true
  }

  /// Writes the member at `index`, as far as it goes without a job; returns where its type is.
  private mutating func beginMember(_ index: Int, _ number: Int) -> Int {
    putLineStart()
    switch nodes[index].kind {
    case .name:
      begin(index + 1, .source(start: nodes[index].start + 1, length: nodes[index].payload))
      return index + 1
    // C allows no name for a bit-field of width 0.
    case .bits where tree.bitField(of: index).width == 0: begin(index, .none)
    default: begin(index, .member(number))
    }
    return index
  }

  private mutating func putLineStart() {
    switch style.layout {
    case .oneLine: text.append(byte: UInt8(ascii: " "))
    case .indented(let width):
      text.append("\n")
      text.append(spaces: max(0, min(width, 16)) * level)
    }
    needsSpace = false
  }
}
