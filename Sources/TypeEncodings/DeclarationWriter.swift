/// Writes types as C declarations, from the inside out: the base type, then what stands before the name from the
/// innermost to the outermost, the name, and what stands behind it from the outermost to the innermost.
///
/// The nodes between a type and its base follow each other in the tree, so both orders are loops over indices. Recursion
/// goes into members, arguments of blocks and atomics only, as deep as the parser's limit lets it.
struct DeclarationWriter {
  /// What stands where the name goes.
  enum Declarator {
    case none
    case name(String)
    case source(start: UInt32, length: UInt32)
    /// `x0`.
    case member(Int)
    /// `(^name)(arguments)`: the types from `first` up to `end` in the tree.
    case block(name: String?, first: Int, end: Int)
  }

  let tree: EncodingTree
  let style: DeclarationStyle
  var text = ""
  /// Whether the next piece, unless it is a closing parenthesis, is set off by a space.
  var needsSpace = false
  /// Levels of records around the position.
  var level = 0

  init(tree: EncodingTree, style: DeclarationStyle) {
    self.tree = tree
    self.style = style
  }

  var nodes: ContiguousArray<EncodingNode> {
    @inline(__always) _read { yield tree.nodes }
  }

  // MARK: Pieces

  @inline(__always) mutating func put(_ piece: String) {
    if needsSpace {
      text.append(" ")
      needsSpace = false
    }
    text.append(piece)
  }

  mutating func putClosing(_ piece: String) {
    needsSpace = false
    text.append(piece)
  }

  @inline(__always) mutating func putSource(_ start: UInt32, _ length: UInt32) {
    if needsSpace {
      text.append(" ")
      needsSpace = false
    }
    text.append(contentsOf: tree.text(start, length))
  }

  // MARK: Declarations

  /// Writes the declaration of the type at `index`.
  mutating func declare(_ index: Int, _ declarator: Declarator) {
    var base = index
    var hasConst = nodes[index].qualifiers.hasConst
    var hasQualifiers = !nodes[index].qualifiers.isEmpty
    while isDerived(base) {
      base += 1
      hasConst = hasConst || nodes[base].qualifiers.hasConst
      hasQualifiers = hasQualifiers || !nodes[base].qualifiers.isEmpty
    }
    let chain = DeclaratorChain(tree: tree, first: index, last: base, hasConst: hasConst)
    if hasQualifiers { putLeadingQualifiers(index, base) }
    putBase(chain)
    var step = base
    while step > index {
      step -= 1
      putPrefix(step, chain)
    }
    putDeclarator(declarator)
    while step < base {
      putSuffix(step)
      step += 1
    }
    putBaseSuffix(base)
    needsSpace = false
  }

  /// Whether the node is written around another that follows it.
  private func isDerived(_ index: Int) -> Bool {
    switch nodes[index].kind {
    case .pointer, .array: true
    case .block: nodes[index].flags.contains(.hasSignature)
    default: false
    }
  }

  func isOpaqueBlock(_ index: Int) -> Bool {
    nodes[index].kind == .block && !nodes[index].flags.contains(.hasSignature)
  }

  /// `oneway`, `in`, `bycopy` and the like stand first, in an order of their own.
  private mutating func putLeadingQualifiers(_ first: Int, _ last: Int) {
    for qualifier in TypeQualifier.leading {
      guard let keyword = qualifier.keyword else { continue }
      for index in first...last where nodes[index].qualifiers.contains(qualifier) {
        put(keyword)
        needsSpace = true
        break
      }
    }
  }
}
