/// Writes types as C declarations, from the inside out: the base type, then what stands before the name from the
/// innermost to the outermost, the name, and what stands behind it from the outermost to the innermost.
///
/// The nodes between a type and its base follow each other in the tree, so both orders are loops over indices. What is
/// left to do of the types around the position waits in a list of jobs and not on the stack, so that depth costs no
/// stack; types of one line of nodes, which most are, need no job.
struct DeclarationWriter: ~Copyable {
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

  /// Something to be done after what is being written.
  enum Job {
    case type(Int, Declarator)
    /// Everything behind a base type.
    case rest(DeclaratorChain, Declarator)
    case suffixes(next: Int, base: Int)
    case arguments(next: Int, end: Int, isFirst: Bool)
    case members(record: Int, next: Int, number: Int)
    case closeAtomic
    case closeComplex
    case closeVector(Int)
  }

  let tree: EncodingTree
  let style: DeclarationStyle
  /// The text that the tree's offsets count in.
  let source: UnsafeBufferPointer<UInt8>
  var text: TextBuffer
  /// Whether the next piece, unless it is a closing parenthesis, is set off by a space.
  var needsSpace = false
  /// Levels of records around the position.
  var level = 0
  var jobs: [Job] = []

  /// What `write` puts into a writer.
  static func text(
    _ tree: EncodingTree, style: DeclarationStyle, _ write: (inout DeclarationWriter) -> Void
  ) -> String {
    func run(_ source: UnsafeBufferPointer<UInt8>) -> String {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { memory in
        var writer = DeclarationWriter(tree: tree, style: style, source: source, text: TextBuffer(memory))
        write(&writer)
        return writer.text.string
      }
    }
    if let text = tree.source.utf8.withContiguousStorageIfAvailable(run) { return text }
    var native = tree.source
    return native.withUTF8(run)
  }

  var nodes: ContiguousArray<EncodingNode> {
    @inline(__always) _read { yield tree.nodes }
  }

  // MARK: Pieces

  @inline(__always) mutating func put(_ piece: StaticString) {
    putSpace()
    text.append(piece)
  }

  @inline(__always) mutating func putSpace() {
    if needsSpace {
      text.append(byte: UInt8(ascii: " "))
      needsSpace = false
    }
  }

  mutating func putClosing(_ piece: StaticString) {
    needsSpace = false
    text.append(piece)
  }

  /// A piece of the source.
  @inline(__always) mutating func putSource(_ start: UInt32, _ length: UInt32) {
    putSpace()
    let (start, length) = (Int(start), Int(length))
    guard start + length <= source.count else { return }
    text.append(UnsafeBufferPointer(rebasing: source[start..<start + length]))
  }

  // MARK: Declarations

  /// Writes the declaration of the type at `index`.
  mutating func declare(_ index: Int, _ declarator: Declarator) {
    begin(index, declarator)
    while let job = jobs.popLast() { carryOut(job) }
  }

  /// Puts up a job. Few declarations need one, and those need several.
  mutating func add(_ job: Job) {
    if jobs.isEmpty { jobs.reserveCapacity(8) }
    jobs.append(job)
  }

  private mutating func carryOut(_ job: Job) {
    switch job {
    case .type(let index, let declarator): begin(index, declarator)
    case .rest(let chain, let declarator): putRest(chain, declarator)
    case .suffixes(let next, let base): putSuffixes(from: next, base)
    case .arguments(let next, let end, let isFirst): putArguments(next, end, isFirst: isFirst)
    case .members(let record, let next, let number): putMembers(record, next, number)
    case .closeAtomic:
      putClosing(")")
      needsSpace = true
    case .closeComplex: needsSpace = true
    case .closeVector(let index):
      putClosing(" __attribute__((vector_size(")
      text.append(number: tree.vectorNumbers(of: index).bytes)
      text.append(")))")
      needsSpace = true
    }
  }

  mutating func begin(_ index: Int, _ declarator: Declarator) {
    var base = index
    var hasConst = nodes[index].qualifiers.hasConst
    var hasQualifiers = !nodes[index].qualifiers.isEmpty
    while isDerived(base) {
      base += 1
      let qualifiers = nodes[base].qualifiers
      guard !qualifiers.isEmpty else { continue }
      hasConst = hasConst || qualifiers.hasConst
      hasQualifiers = true
    }
    if hasQualifiers { putLeadingQualifiers(index, base) }
    let chain = DeclaratorChain(first: index, last: base, hasConst: hasConst)
    if opensBase(base) {
      add(.rest(chain, declarator))
      putBase(chain)
    } else {
      putBase(chain)
      putRest(chain, declarator)
    }
  }

  /// Whether the base type has types inside that must be written before what follows it.
  private func opensBase(_ base: Int) -> Bool {
    switch nodes[base].kind {
    case .atomic, .complex, .vector: true
    case .record: showsMembers(base)
    default: false
    }
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
      guard let keyword = qualifier.literal else { continue }
      for index in first...last where nodes[index].qualifiers.contains(qualifier) {
        put(keyword)
        needsSpace = true
        break
      }
    }
  }

  /// What stands between a base type and the end: stars, the name, brackets.
  private mutating func putRest(_ chain: DeclaratorChain, _ declarator: Declarator) {
    var step = chain.last
    while step > chain.first {
      step -= 1
      putPrefix(step, chain)
    }
    if case .block(let name, let first, let end) = declarator {
      put("(^")
      if let name { text.append(name) }
      text.append(")(")
      add(.suffixes(next: chain.first, base: chain.last))
      add(.arguments(next: first, end: end, isFirst: true))
    } else {
      putDeclarator(declarator)
      putSuffixes(from: chain.first, chain.last)
    }
  }

  private mutating func putSuffixes(from first: Int, _ base: Int) {
    for step in first..<base {
      putSuffix(step)
      guard nodes[step].kind == .block else { continue }
      text.append("(")
      add(.suffixes(next: step + 1, base: base))
      add(.arguments(next: Int(nodes[step + 1].next), end: Int(nodes[step].next), isFirst: true))
      return
    }
    putBaseSuffix(base)
    needsSpace = false
  }

  /// `int, char *)`; `void)` where there are none. Frame offsets between the types are passed over.
  private mutating func putArguments(_ next: Int, _ end: Int, isFirst: Bool) {
    var (index, isFirst) = (next, isFirst)
    while index < end {
      let next = Int(nodes[index].next)
      if nodes[index].kind != .offset {
        if !isFirst { text.append(", ") }
        isFirst = false
        let waiting = jobs.count
        begin(index, .none)
        guard jobs.count == waiting else {
          // What the argument has put up comes first.
          jobs.insert(.arguments(next: next, end: end, isFirst: false), at: waiting)
          return
        }
      }
      index = next
    }
    putClosing(isFirst ? "void)" : ")")
  }
}
