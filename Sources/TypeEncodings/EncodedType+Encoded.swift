extension EncodedType {
  /// The type as an encoding again, as the given dialect writes it.
  ///
  /// In the dialect it was read in this is the text itself. In another one what that compiler would leave out is left
  /// out: clang keeps `const` only under the outermost pointer and no vectors; Apple keeps no positions of bit-fields.
  /// Positions and types that Apple's bit-fields lack are worked out from the layout in ``DataModel/lp64GNU``.
  public func encoded(dialect: EncodingDialect) -> String {
    var writer = EncodingWriter(tree: tree, target: dialect)
    writer.write(index)
    return writer.text
  }
}

extension TypeEncoding {
  /// The encoding again; see ``EncodedType/encoded(dialect:)``.
  public func encoded(dialect: EncodingDialect? = nil) -> String { type.encoded(dialect: dialect ?? self.dialect) }
}

/// Writes types as encodings. What is left to do waits in a list of jobs, so that depth costs no stack.
private struct EncodingWriter {
  private enum Job {
    case type(Int, inherited: ConstTarget?, isOutermost: Bool)
    case text(String)
    /// A block's arguments from `next` on, and the closing angle.
    case arguments(next: Int, end: Int)
    case members(next: Int, record: Int, positions: [UInt64])
  }

  let tree: EncodingTree
  let target: EncodingDialect
  var text = ""
  private var jobs: [Job] = []

  /// Whether `r` is read alike in both.
  private var keepsConst: Bool { (tree.dialect == .gcc) == (target == .gcc) }

  init(tree: EncodingTree, target: EncodingDialect) {
    self.tree = tree
    self.target = target
  }

  mutating func write(_ root: Int) {
    jobs.append(.type(root, inherited: nil, isOutermost: true))
    while let job = jobs.popLast() {
      switch job {
      case .type(let index, let inherited, let isOutermost): put(index, inherited, isOutermost)
      case .text(let piece): text.append(piece)
      case .arguments(let next, let end): putArgument(next, end)
      case .members(let next, let record, let positions): putMember(next, record, positions)
      }
    }
  }

  private mutating func put(_ index: Int, _ inherited: ConstTarget?, _ isOutermost: Bool) {
    let node = tree.nodes[index]
    let type = EncodedType(tree: tree, index: index, inherited: inherited)
    putQualifiers(type, isOutermost: isOutermost)
    switch node.kind {
    case .none, .offset, .name: break
    case .scalar, .object, .function, .characterPointer: putSource(node)
    case .pointer: putAround("^", type, "")
    case .atomic: putAround("A", type, "")
    case .complex: putAround("j", type, "")
    case .array: putAround("[" + tree.text(node.start + 1, node.payload), type, "]")
    case .vector:
      // Only GCC encodes vectors; for the others the whole type has no encoding.
      if target == .gcc { putAround(String(tree.text(node.start, node.payload)), type, "]") }
    case .block: putBlock(index)
    case .record: putRecord(index)
    case .bits: putBitField(index, position: nil)
    }
  }

  /// The text of a node, without its qualifiers.
  private mutating func putSource(_ node: EncodingNode) {
    text.append(contentsOf: tree.text(node.start, node.end - node.start))
  }

  private mutating func putAround(_ before: String, _ type: EncodedType, _ after: String) {
    text.append(before)
    if !after.isEmpty { jobs.append(.text(after)) }
    let child = type.child
    jobs.append(.type(child.index, inherited: child.const, isOutermost: false))
  }

  private mutating func putQualifiers(_ type: EncodedType, isOutermost: Bool) {
    guard !type.node.qualifiers.isEmpty || type.const != nil || isOutermost else { return }
    guard !keepsConst else {
      for qualifier in type.qualifiers { text.unicodeScalars.append(UnicodeScalar(qualifier.code)) }
      return
    }
    let codes = type.qualifiers.filter { $0 != .const }.map { UnicodeScalar($0.code) }
    if target == .gcc {
      for code in codes.reversed() { text.unicodeScalars.append(code) }
      if type.isConst { text.append("r") }
      if case .characterPointer(true) = type.kind { text.append("r") }
    } else {
      if isOutermost, type.hasConstWhereAppleLooks { text.append("r") }
      for code in codes { text.unicodeScalars.append(code) }
    }
  }

  // MARK: Blocks

  private mutating func putBlock(_ index: Int) {
    text.append("@?")
    let node = tree.nodes[index]
    guard node.flags.contains(.hasSignature) else { return }
    text.append("<")
    jobs.append(.arguments(next: Int(tree.nodes[index + 1].next), end: Int(node.next)))
    jobs.append(.text("@?"))
    jobs.append(.type(index + 1, inherited: nil, isOutermost: true))
  }

  private mutating func putArgument(_ next: Int, _ end: Int) {
    guard next < end else { return text.append(">") }
    jobs.append(.arguments(next: Int(tree.nodes[next].next), end: end))
    jobs.append(.type(next, inherited: nil, isOutermost: true))
  }

  // MARK: Records

  private mutating func putRecord(_ index: Int) {
    let node = tree.nodes[index]
    text.append(contentsOf: tree.text(node.start, node.payload + 1))
    if node.flags.contains(.hasMembers) { text.append("=") }
    jobs.append(.members(next: index + 1, record: index, positions: bitPositions(index)))
  }

  /// Where the members are, in bits, for a compiler that writes it of a record that does not say it.
  private func bitPositions(_ index: Int) -> [UInt64] {
    guard target != .apple, tree.dialect == .apple else { return [] }
    let record = RecordType(type: EncodedType(tree: tree, index: index))
    guard record.members.contains(where: { $0.type.node.kind == .bits }) else { return [] }
    return RecordLayout(record, in: .lp64GNU)?.bitOffsets ?? []
  }

  private mutating func putMember(_ next: Int, _ record: Int, _ positions: [UInt64]) {
    guard next < Int(tree.nodes[record].next) else {
      return text.append(tree.nodes[record].code == UInt8(ascii: "(") ? ")" : "}")
    }
    var index = next
    if tree.nodes[index].kind == .name {
      putSource(tree.nodes[index])
      index += 1
    }
    jobs.append(.members(next: Int(tree.nodes[index].next), record: record, positions: Array(positions.dropFirst())))
    if tree.nodes[index].kind == .bits {
      putQualifiers(EncodedType(tree: tree, index: index), isOutermost: false)
      putBitField(index, position: positions.first)
    } else {
      jobs.append(.type(index, inherited: nil, isOutermost: false))
    }
  }

  private mutating func putBitField(_ index: Int, position: UInt64?) {
    guard target != tree.dialect else { return putSource(tree.nodes[index]) }
    let field = tree.bitField(of: index)
    guard target != .apple else { return text.append("b\(field.width)") }
    text.append("b\(field.position ?? position ?? 0)")
    text.unicodeScalars.append(UnicodeScalar(field.storageType.rawValue))
    text.append("\(field.width)")
  }
}

extension EncodedType {
  /// Whether what clang looks at for its one `r` is constant: through pointers, then through arrays.
  fileprivate var hasConstWhereAppleLooks: Bool {
    var type = self
    while type.node.kind == .pointer { type = type.child }
    while type.node.kind == .array { type = type.child }
    if case .characterPointer(true) = type.kind { return true }
    return type.node.kind != .characterPointer && type.isConst && (type.index != index || type.node.kind != .pointer)
  }
}
