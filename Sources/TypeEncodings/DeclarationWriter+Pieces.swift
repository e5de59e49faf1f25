// What stands at the base of a declaration, before the name and behind it.

extension DeclarationWriter {
  /// The base type. What follows is set off by a space, unless a star or a parenthesis ends it.
  mutating func putBase(_ chain: DeclaratorChain) {
    let index = chain.last
    let node = nodes[index]
    if chain.hasConst, chain.isBaseConst(in: tree) { putWord("const") }
    switch node.kind {
    case .scalar: putScalar(ScalarType(rawValue: node.code) ?? .void)
    case .characterPointer:
      putWord("char")
      putStar(isConst: chain.hasConst && chain.isConst(index, in: tree))
    case .object: putObject(index, chain)
    case .record: putRecord(index)
    case .atomic:
      put("_Atomic(")
      add(.closeAtomic)
      add(.type(index + 1, .none))
    case .complex:
      putWord("_Complex")
      add(.closeComplex)
      add(.type(index + 1, .none))
    case .vector:
      add(.closeVector(index))
      add(.type(index + 1, .none))
    case .bits:
      let field = tree.bitField(of: index)
      if field.width > 128, field.storage == nil {
        putText(field.declaredType)
      } else {
        putScalar(field.storageType)
      }
    case .block:
      putWord("void")
      put("(^")
      if chain.hasConst, chain.isConst(index, in: tree) { putWord("const") }
    case .function: putWord("void")
    case .none, .name, .offset, .pointer, .array: putWord("/* unknown */")
    }
  }

  /// What the base itself puts behind everything.
  mutating func putBaseSuffix(_ base: Int) {
    switch nodes[base].kind {
    case .function: put("()")
    case .block where isOpaqueBlock(base): putClosing(")()")
    case .bits:
      putClosing(" : ")
      text.append(number: tree.bitField(of: base).width)
    default: break
    }
  }

  private mutating func putWord(_ word: StaticString) {
    put(word)
    needsSpace = true
  }

  private mutating func putText(_ piece: String) {
    putSpace()
    text.append(piece)
    needsSpace = true
  }

  private mutating func putScalar(_ scalar: ScalarType) {
    let isBoolean = scalar == .bool || scalar == .char && style.readsCharAsBool
    if isBoolean { putText(style.booleanName) } else { putWord(scalar.keyword) }
  }

  private mutating func putStar(isConst: Bool) {
    put("*")
    if isConst { putWord("const") }
  }

  /// `id`, `id<P, Q>`, `Class<P> *`.
  private mutating func putObject(_ index: Int, _ chain: DeclaratorChain) {
    let node = nodes[index]
    guard node.flags.contains(.hasClass) else { return putWord("id") }
    let quoted = tree.text(node.start + 2, node.payload)
    let isPlain = !quoted.utf8.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "_") }
    if isPlain {
      putSource(node.start + 2, node.payload)
    } else {
      let object = ObjectType(quoted: quoted)
      putText((style.readsSwiftNames ? object.readableClassName : object.className) ?? "id")
      if !object.protocols.isEmpty {
        let names = object.protocols.map { style.readsSwiftNames ? SwiftClassName.readable($0) ?? $0 : $0 }
        text.append("<" + names.joined(separator: ", ") + ">")
      }
      if object.className == nil { return }
    }
    needsSpace = true
    putStar(isConst: chain.hasConst && chain.isConst(index, in: tree))
  }

  // MARK: Around the name

  /// What a derived node puts before the name: a star, with a parenthesis where an array or a function is inside.
  mutating func putPrefix(_ index: Int, _ chain: DeclaratorChain) {
    switch nodes[index].kind {
    case .pointer:
      if bindsTighter(index + 1) { put("(") }
      putStar(isConst: chain.hasConst && chain.isConst(index, in: tree))
    case .block:
      put("(^")
      if chain.hasConst, chain.isConst(index, in: tree) { putWord("const") }
    default: break
    }
  }

  /// Brackets and parentheses bind tighter than a star. A block brings its own parentheses.
  private func bindsTighter(_ index: Int) -> Bool { nodes[index].kind == .array || nodes[index].kind == .function }

  mutating func putSuffix(_ index: Int) {
    switch nodes[index].kind {
    case .pointer where bindsTighter(index + 1): putClosing(")")
    case .array:
      put("[")
      putSource(nodes[index].start + 1, nodes[index].payload)
      text.append("]")
    case .block: putClosing(")")
    default: break
    }
  }

  mutating func putDeclarator(_ declarator: Declarator) {
    switch declarator {
    case .none: break
    case .name(let name):
      putSpace()
      text.append(name)
    case .source(let start, let length): if length > 0 { putSource(start, length) }
    case .member(let number):
      put("x")
      text.append(number: UInt64(number))
    case .block: break
    }
  }
}

/// The nodes from a type to its base, and what is constant among them.
struct DeclaratorChain {
  let first: Int
  let last: Int
  /// Whether any of them has an `r`. Most have none, and need no further look.
  let hasConst: Bool

  /// Whether the node itself is constant: `*const`.
  func isConst(_ index: Int, in tree: EncodingTree) -> Bool {
    if tree.nodes[index].kind == .characterPointer, tree.dialect == .gcc,
      tree.nodes[index].qualifiers.constCount > 1
    {
      return true
    }
    return isTarget(ConstTarget(node: index, isPointedTo: false), tree)
  }

  /// Whether `const` stands before the base type.
  func isBaseConst(in tree: EncodingTree) -> Bool {
    let base = tree.nodes[last]
    switch base.kind {
    case .characterPointer: return isTarget(ConstTarget(node: last, isPointedTo: true), tree)
    // A function cannot be constant: the `r` of `r^?` comes from a typedef, and is the outermost pointer's.
    case .function, .block: return false
    case .object where base.flags.contains(.hasClass):
      let isProtocolOnly = tree.text(base.start + 2, 1) == "<"
      return isProtocolOnly && isTarget(ConstTarget(node: last, isPointedTo: false), tree)
    default: return isTarget(ConstTarget(node: last, isPointedTo: false), tree)
    }
  }

  private func isTarget(_ target: ConstTarget, _ tree: EncodingTree) -> Bool {
    var index = target.node
    while index >= first {
      if let found = tree.constTarget(of: index) {
        if found == target { return true }
        if tree.nodes[found.node].kind == .function, index == target.node, !target.isPointedTo { return true }
        if tree.dialect != .gcc { return false }
      }
      // The result of a block is a type of its own.
      if index < target.node, tree.nodes[index].kind == .block { return false }
      index -= 1
    }
    return false
  }
}
