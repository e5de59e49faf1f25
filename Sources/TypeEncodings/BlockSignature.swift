/// What a block takes and gives, from its signature string: `v16@?0@"NSString"8` is `void (^)(NSString *)`.
public struct BlockSignature: Sendable {
  let tree: EncodingTree

  /// Takes a signature apart.
  ///
  /// - Parameters:
  ///   - signature: what `_Block_signature` gives, or the descriptor's symbol holds.
  ///   - dialect: whose compiler wrote it, where the text itself does not tell.
  ///   - limits: what to accept.
  /// - Throws: where the types are no encodings, or the second is not the block itself, `@?`.
  public init(_ signature: String, dialect: EncodingDialect = .apple, limits: ParsingLimits = ParsingLimits())
    throws(TypeEncodingError)
  {
    let (block, error) = Self.lenient(signature, dialect: dialect, limits: limits)
    if let error { throw error }
    self = block
  }

  /// Takes a signature apart as far as it goes: what was read before the mistake, and the mistake.
  public static func lenient(
    _ signature: String, dialect: EncodingDialect = .apple, limits: ParsingLimits = ParsingLimits()
  ) -> (block: BlockSignature, error: TypeEncodingError?) {
    var spare = ContiguousArray<EncodingNode>()
    return lenient(signature, dialect: dialect, limits: limits, reusing: &spare)
  }

  static func lenient(
    _ signature: String, dialect: EncodingDialect, limits: ParsingLimits,
    reusing spare: inout ContiguousArray<EncodingNode>
  ) -> (block: BlockSignature, error: TypeEncodingError?) {
    let (tree, error) = EncodingTree.build(signature, dialect: dialect, limits: limits, reusing: &spare) {
      (builder) throws(TypeEncodingError) in
      try builder.parseTypeWithOffset()
      let block = builder.nodes.count
      let start = builder.position
      guard builder.current != nil else { throw builder.failure(.missingBlock, expected: "the block itself, '@?'") }
      try builder.parseTypeWithOffset()
      guard builder.nodes[block].kind == .block else {
        throw builder.failure(.missingBlock, expected: "the block itself, '@?'", at: start)
      }
      if builder.current != nil { try builder.parseTypeList() }
    }
    return (BlockSignature(tree: tree), error)
  }

  private init(tree: EncodingTree) { self.tree = tree }

  /// What it returns; its offset is the size of the argument frame.
  public var result: MethodEncoding.Slot {
    tree.slot(0) ?? .init(type: EncodedType(tree: tree, index: 0), offset: nil, isInRegister: false)
  }

  /// The arguments after the block itself.
  public var arguments: [MethodEncoding.Slot] { tree.slots(from: hasBlock ? 2 : 1) }

  /// Whether the second type is the block itself; in a signature that is not right it may be missing.
  private var hasBlock: Bool {
    let second = tree.typeAfter(0)
    return second < tree.nodes.count && tree.nodes[second].kind == .block
  }

  /// The size of the argument frame in bytes, where the signature says it.
  public var frameSize: Int? { result.offset }

  /// The block as a declaration: `void (^)(id)`, or with a name `void (^handler)(id)`.
  public func declaration(named name: String? = nil, style: DeclarationStyle = DeclarationStyle()) -> String {
    let second = tree.typeAfter(0)
    let first = hasBlock ? tree.typeAfter(second) : second
    return DeclarationWriter.text(tree, style: style) { writer in
      writer.declare(0, .block(name: name, first: first, end: tree.nodes.count))
    }
  }
}
