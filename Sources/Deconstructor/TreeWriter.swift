// Floor 4, text: the indented form.

/// Writes a deconstruction as lines, one for each part that does not fit into the line of the part around it.
struct TreeWriter: ~Copyable {
  let storage: DeconstructionStorage
  let options: DeconstructionOptions
  let usesColour: Bool
  var output = PlainTable<UInt8>()
  /// The brackets that are open on a line, by the depth of the node they belong to.
  var open = PlainTable<OpenBracket>()

  /// The level from which on lines are not indented further: a list of a million nodes has as many lines, and text that grows
  /// with the square of that is no use to anyone.
  private static let indentedLevels = 20
  /// The most nodes that are written on the line of the one around them.
  private static let inlineNodes = 24

  init(_ deconstruction: borrowing Deconstruction, usesColour: Bool) {
    storage = deconstruction.storage
    options = deconstruction.options
    self.usesColour = usesColour
  }

  /// Text is handed on in pieces of this size: what is written next then lies in the processor's cache.
  private static let pieceSize = 1 << 16

  /// Writes all nodes to a stream, a line feed behind each line.
  mutating func writeNodes<Stream: TextOutputStream>(to stream: inout Stream) {
    var index = 0
    while index < storage.nodes.count {
      index = writeLine(index)
      if output.count >= Self.pieceSize { flush(to: &stream) }
    }
  }

  /// Hands on what is written.
  mutating func flush<Stream: TextOutputStream>(to stream: inout Stream) {
    stream.write(output.string)
    output.cut(to: 0)
  }

  /// Writes the line of a node; the node that the next line begins with.
  private mutating func writeLine(_ index: Int) -> Int {
    let row = storage.nodes[index]
    writeIndentation(Int(row.depth))
    let start = output.count
    let isLabelled = writeHead(row, index)
    let next = writeValue(row, index, isLabelled: isLabelled, lineStart: start)
    if options.showsSizes || options.showsOffsets || options.showsAddresses { writeRemark(row, index) }
    output.append(UInt8(ascii: "\n"))
    return next
  }

  private mutating func writeIndentation(_ depth: Int) {
    output.append(spaces: 2 &* min(depth, Self.indentedLevels))
    guard depth > Self.indentedLevels else { return }
    output.append(number: UInt64(depth))
    output.append("> ")
  }

  // MARK: Before the value

  /// Writes what stands before a value: modifiers, name and declared type; whether the type was written.
  private mutating func writeHead(_ row: NodeRow, _ index: Int) -> Bool {
    if row.depth == 0, let label = options.label {
      output.append(text: label)
      output.append(": ")
      writeType(row.dynamicType > 0 ? row.dynamicType : row.declaredType)
      return true
    }
    writeModifiers(row, index)
    switch row.labelForm {
    case .name:
      output.append(contentsOf: storage.names.utf8(row.label))
      guard row.declaredType > 0 else {
        output.append(":")
        return false
      }
      output.append(": ")
      writeType(row.declaredType)
      return true
    case .index:
      output.append("[")
      output.append(number: UInt64(row.label))
      output.append("]")
      if row.kind != .group { output.append(": ") }
      return false
    case .key:
      output.append(contentsOf: keyText(at: row.label, in: storage.texts.rows))
      output.append(": ")
      return false
    case .none: return writeHeadWithoutLabel(row)
    }
  }

  private mutating func writeHeadWithoutLabel(_ row: NodeRow) -> Bool {
    if row.kind == .group, row.declaredType > 0 {
      output.append("from ")
      writeType(row.declaredType)
      return false
    }
    // The value itself, and what a closure has captured, have a type that no other line tells.
    guard row.depth == 0 || row.flags.contains(.isCapture), row.declaredType > 0 else { return false }
    writeType(row.depth == 0 && row.dynamicType > 0 ? row.dynamicType : row.declaredType)
    return true
  }

  mutating func writeModifiers(_ row: NodeRow, _ index: Int) {
    if row.flags.contains(.isCapture) { output.append("captures ") }
    if !storage.wrappers.isEmpty, let wrapper = storage.wrappers[UInt32(truncatingIfNeeded: index)] {
      output.append("@")
      output.append(contentsOf: storage.names.utf8(wrapper))
      output.append(" ")
    }
    switch row.ownership {
    case .strong: break
    case .weak: writeStyled(.warning) { $0.append("weak ") }
    case .unowned: writeStyled(.warning) { $0.append("unowned ") }
    case .unmanaged: writeStyled(.warning) { $0.append("unowned(unsafe) ") }
    }
    if row.flags.contains(.isLazy) { output.append("lazy ") }
    if row.flags.contains(.isVariable), row.ownership == .strong { output.append("var ") }
    if row.flags.contains(.isLet), row.ownership == .strong { output.append("let ") }
  }

  // MARK: The value

  /// Writes a value; the node that the next line begins with.
  private mutating func writeValue(_ row: NodeRow, _ index: Int, isLabelled: Bool, lineStart: Int) -> Int {
    switch row.kind {
    case .group: return index + 1
    case .omission:
      writeStyled(.warning) { Self.writeOmission(row, &$0) }
      return index + 1
    case .object:
      writeObject(row, isLabelled: isLabelled)
      return index + 1
    case .closure: return writeClosure(row, index, isLabelled: isLabelled)
    default: break
    }
    if let end = inlineEnd(row, index, room: options.width &- (output.count &- lineStart)) {
      let mark = output.count
      // `Point(x: 1, y: 2)` by itself, and `at: Point = (x: 1, y: 2)` as a field.
      if isLabelled, row.depth > 0 || row.kind != .structure { output.append(" = ") }
      writeInline(index, end, showsType: !isLabelled || row.dynamicType > 0 && row.depth > 0)
      if output.count &- lineStart <= options.width || end == index + 1 {
        writeShared(row)
        return end == index + 1 ? writeNeighbours(row, end, lineStart) : end
      }
      output.cut(to: mark)
    }
    writeOpened(row, isLabelled: isLabelled)
    return index + 1
  }

  /// Writes the short elements that follow a short one on its line, as many as fit; the node that the next line begins with.
  private mutating func writeNeighbours(_ row: NodeRow, _ start: Int, _ lineStart: Int) -> Int {
    func isShort(_ row: NodeRow) -> Bool {
      row.labelForm == .index && row.kind == .value && row.textLength <= 24 && row.dynamicType == 0
        && row.flags.isEmpty && row.ownership == .strong
    }
    guard isShort(row) else { return start }
    var columns = output.count &- lineStart
    var next = start
    while next < storage.nodes.count, storage.nodes[next].depth == row.depth, isShort(storage.nodes[next]) {
      columns += 2 + Int(storage.nodes[next].textLength)
      guard columns <= options.width else { break }
      output.append(", ")
      output.append(contentsOf: storage.text(of: storage.nodes[next]))
      next += 1
    }
    return next
  }

  /// Writes the first line of a value whose parts follow on lines of their own.
  private mutating func writeOpened(_ row: NodeRow, isLabelled: Bool) {
    let type = row.dynamicType > 0 ? row.dynamicType : row.declaredType
    let showsType = !isLabelled || row.dynamicType > 0 && row.depth > 0
    switch row.kind {
    case .list, .dictionary, .set:
      if isLabelled { output.append(" = ") }
      if showsType, row.dynamicType > 0 {
        writeType(type)
        output.append(", ")
      }
      writeCount(row)
    case .enumeration:
      if isLabelled { output.append(" = ") }
      if showsType, row.dynamicType > 0 { writeType(type) }
      output.append(contentsOf: storage.text(of: row))
    case .tuple: break
    default:
      if showsType {
        if isLabelled { output.append(" = ") }
        writeType(type)
      }
    }
    writeShared(row)
    if row.flags.contains(.isCut) { writeCut() }
  }

  private mutating func writeCount(_ row: NodeRow) {
    guard row.count != NodeRow.uncounted else {
      output.append("more ")
      output.append(Self.noun(row.kind, row.count))
      return output.append(" than are shown")
    }
    output.append(number: UInt64(row.count))
    output.append(" ")
    output.append(Self.noun(row.kind, row.count))
  }

  private static func noun(_ kind: Deconstruction.Kind, _ count: UInt32) -> StaticString {
    switch kind {
    case .dictionary: count == 1 ? "entry" : "entries"
    case .set: count == 1 ? "member" : "members"
    case .list: count == 1 ? "element" : "elements"
    case .closure: count == 1 ? "capture" : "captures"
    default: count == 1 ? "part" : "parts"
    }
  }

  /// Storage that more than one place shares, and where its parts are.
  private mutating func writeShared(_ row: NodeRow) {
    guard row.object > 0, row.kind != .object else { return }
    let heapRow = storage.heap[Int(row.object)]
    if heapRow.number > 0 {
      writeStyled(.reference) {
        $0.append(" @")
        $0.append(number: UInt64(heapRow.number))
      }
    }
    switch row.sight {
    case .shownAbove: output.append(", shown above")
    case .cycle: writeStyled(.cycle) { $0.append(", a cycle") }
    default: break
    }
  }

  private mutating func writeCut() {
    writeStyled(.warning) { [options] in $0.append(text: " … (depth limit \(options.depthLimit))") }
  }

  private static func writeOmission(_ row: NodeRow, _ output: inout PlainTable<UInt8>) {
    guard row.count > 0 else {
      output.append("… the rest is left out: the limit on nodes is reached")
      return
    }
    let kind = Deconstruction.Kind(rawValue: UInt8(truncatingIfNeeded: row.label)) ?? .structure
    output.append("… ")
    // Of parts that are made one by one, without an end perhaps, there is no number.
    if row.count != NodeRow.uncounted {
      output.append(number: UInt64(row.count))
      output.append(" ")
    }
    output.append("more ")
    output.append(noun(kind, row.count))
    // The one kind of part that is left out for another reason than a limit.
    if kind == .closure { output.append(", of types that depend on a generic context") }
  }

  // MARK: References

  /// Writes a reference to an object. Where it is labelled, the declared type stands there already.
  mutating func writeObject(_ row: NodeRow, isLabelled: Bool) {
    let isDeclared = row.dynamicType == row.declaredType
    let isRoot = row.depth == 0
    let isFirst = row.sight == .first || row.sight == .tooDeep || row.sight == .notFollowed
    let isAlone = isRoot || row.flags.contains(.isCapture)
    if isLabelled { output.append(isDeclared && (isFirst || isAlone) || isRoot ? " " : " = ") }
    if !isLabelled || !(isDeclared || isRoot), isFirst || !isLabelled || !isWrappedType(row) {
      writeType(row.dynamicType)
      output.append(" ")
    }
    writeStyled(.reference) { [storage] in
      $0.append("#")
      $0.append(number: UInt64(storage.heap[Int(row.object)].number))
    }
    // A form of the type's own.
    if row.textLength > 0 {
      output.append(" ")
      output.append(contentsOf: storage.text(of: row))
    }
    switch row.sight {
    case .first: break
    case .shownAbove: output.append(", shown above")
    case .cycle: writeStyled(.cycle) { $0.append(", a cycle") }
    case .notFollowed: output.append(", not followed")
    case .tooDeep: writeCut()
    }
    if row.flags.contains(.isCut) { writeCut() }
  }

  /// Whether the declared type is an optional of the object's own class.
  private func isWrappedType(_ row: NodeRow) -> Bool {
    let declared = storage.names.utf8(row.declaredType)
    let dynamic = storage.names.utf8(row.dynamicType)
    return declared.starts(with: dynamic) && declared[dynamic.count...].allSatisfy { $0 == UInt8(ascii: "?") }
  }

  /// Writes a closure; one that has captured an object and nothing else, on one line.
  private mutating func writeClosure(_ row: NodeRow, _ index: Int, isLabelled: Bool) -> Int {
    output.append(isLabelled ? " = " : "")
    if row.sight != .first {
      output.append("closure")
      writeShared(row)
      return index + 1
    }
    let isWithoutParts = index + 2 >= storage.nodes.count || storage.nodes[index + 2].depth <= row.depth + 1
    if row.count == 1, index + 1 < storage.nodes.count, storage.nodes[index + 1].flags.contains(.isCapture),
      isWithoutParts
    {
      let capture = storage.nodes[index + 1]
      output.append("closure capturing ")
      writeModifiers(without(.isCapture, capture), index + 1)
      if capture.kind == .object {
        writeObject(capture, isLabelled: false)
      } else {
        writeType(capture.declaredType)
        output.append(" = ")
        writeInline(index + 1, index + 2, showsType: capture.dynamicType > 0)
      }
      writeShared(row)
      return index + 2
    }
    output.append("closure")
    if row.count > 0 {
      output.append(", ")
      writeCount(row)
    }
    writeShared(row)
    if row.flags.contains(.isCut) { writeCut() }
    return index + 1
  }

  private func without(_ flag: NodeRow.Flags, _ row: NodeRow) -> NodeRow {
    var row = row
    row.flags.remove(flag)
    return row
  }

  // MARK: One line

  /// Where the parts of a node end, if they are few and plain enough for its own line.
  private func inlineEnd(_ row: NodeRow, _ index: Int, room: Int) -> Int? {
    if row.flags.contains(.isCut) || row.sight != .first { return nil }
    let isCollection = row.kind == .list || row.kind == .dictionary || row.kind == .set
    var room = room
    var next = index
    while true {
      next &+= 1
      guard next < storage.nodes.count else { break }
      let part = storage.nodes[next]
      if part.depth <= row.depth { break }
      room &-= leastWidth(part)
      if room < 0 || next &- index > Self.inlineNodes { return nil }
      switch part.kind {
      case .value, .redacted: break
      // Elements with parts read better below each other.
      case .structure, .tuple, .enumeration, .list, .dictionary, .set:
        if isCollection || part.object > 0 && part.sight != .first { return nil }
      default: return nil
      }
      if part.ownership != .strong || !part.flags.isDisjoint(with: [.isLazy, .isCut]) { return nil }
    }
    if options.showsOffsets || options.showsSizes, next > index + 1, row.kind == .structure || row.kind == .tuple {
      return nil
    }
    return next
  }

  /// How much of a line a node takes at least, in bytes of UTF-8: near enough to columns, and counted at once.
  @inline(__always)
  private func leastWidth(_ row: NodeRow) -> Int {
    let label = row.labelForm == .name ? storage.names.utf8(row.label).count &+ 4 : 2
    let type = row.kind == .structure ? storage.names.utf8(row.declaredType).count : 0
    return label &+ type &+ Int(row.textLength)
  }

  // MARK: Remarks

  private mutating func writeRemark(_ row: NodeRow, _ index: Int) {
    var remarks: [String] = []
    if options.showsOffsets, index < storage.extents.count, storage.extents[index].offset >= 0 {
      remarks.append("offset \(storage.extents[index].offset)")
    }
    if options.showsSizes { remarks += sizeRemarks(row, index) }
    if options.showsAddresses, row.object > 0, row.sight == .first {
      remarks.append("at 0x" + String(UInt(bitPattern: storage.heap[Int(row.object)].address), radix: 16))
    }
    guard !remarks.isEmpty else { return }
    writeStyled(.remark) {
      $0.append("  // ")
      $0.append(text: remarks.joined(separator: ", "))
    }
  }

  private func sizeRemarks(_ row: NodeRow, _ index: Int) -> [String] {
    var remarks: [String] = []
    if index < storage.extents.count, storage.extents[index].offset >= 0 {
      let extent = storage.extents[index]
      remarks.append(counted(Int(extent.size), "byte"))
      if extent.padding > 0 { remarks.append("then \(extent.padding) of padding") }
    }
    if row.object > 0, row.sight == .first, storage.heap[Int(row.object)].bytes > 0 {
      remarks.append("\(storage.heap[Int(row.object)].bytes) bytes allocated")
    }
    return remarks
  }
}
