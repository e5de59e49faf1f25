/// What a block takes and gives, from its signature string: `v16@?0@"NSString"8` is `void (^)(NSString *)`.
public struct BlockSignature: Sendable {
  /// What it returns; its offset is the size of the argument frame.
  public let result: MethodEncoding.Slot
  /// The arguments after the block itself.
  public let arguments: [MethodEncoding.Slot]

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
    let (tree, error) = EncodingTree.build(signature, dialect: dialect, limits: limits) {
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

  private init(tree: EncodingTree) {
    self.tree = tree
    let slots = tree.slots.map {
      MethodEncoding.Slot(
        type: EncodedType(tree: tree, index: $0.index), offset: $0.offset, isInRegister: $0.isRegister)
    }
    result = slots.first ?? .init(type: EncodedType(tree: tree, index: 0), offset: nil, isInRegister: false)
    let startsWithBlock = slots.count > 1 && slots[1].type.node.kind == .block
    arguments = Array(slots.dropFirst(startsWithBlock ? 2 : 1))
  }

  /// The size of the argument frame in bytes, where the signature says it.
  public var frameSize: Int? { result.offset }

  /// The block as a declaration: `void (^)(id)`, or with a name `void (^handler)(id)`.
  public func declaration(named name: String? = nil, style: DeclarationStyle = DeclarationStyle()) -> String {
    var writer = DeclarationWriter(tree: tree, style: style)
    let first = arguments.first?.type.index ?? tree.nodes.count
    writer.declare(result.type.index, .block(name: name, first: first, end: tree.nodes.count))
    return writer.text
  }
}
