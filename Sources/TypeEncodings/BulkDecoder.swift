/// Decodes many strings one after the other, each to its declaration and nothing else.
///
/// Does what ``TypeEncoding``, ``MethodEncoding``, ``PropertyEncoding`` and ``BlockSignature`` do, and keeps the memory of
/// one string for the next: what is allocated is the declaration.
public struct BulkDecoder: Sendable {
  /// Whose compiler wrote the strings, where they do not tell.
  public var dialect: EncodingDialect
  /// How the declarations are written.
  public var style: DeclarationStyle
  /// What to accept.
  public var limits: ParsingLimits

  /// The nodes of the last string, for their memory.
  private var spare = ContiguousArray<EncodingNode>()

  /// What a string decodes to: the declaration as far as it goes, and what is wrong with the string.
  public typealias Result = (declaration: String, error: TypeEncodingError?)

  /// A decoder of many strings.
  public init(
    dialect: EncodingDialect = .apple, style: DeclarationStyle = DeclarationStyle(),
    limits: ParsingLimits = ParsingLimits()
  ) {
    self.dialect = dialect
    self.style = style
    self.limits = limits
  }

  /// A type, with the name of what is declared or without.
  public mutating func type(_ text: String, named name: String? = nil) -> Result {
    let (encoding, error) = TypeEncoding.lenient(text, dialect: dialect, limits: limits, reusing: &spare)
    let declaration = encoding.declaration(named: name, style: style)
    keep(encoding.type.tree)
    return (declaration, error)
  }

  /// A method.
  public mutating func method(types: String, selector: String) -> Result {
    let (method, error) = MethodEncoding.lenient(
      types: types, selector: selector, dialect: dialect, limits: limits, reusing: &spare)
    let declaration = method.declaration(style: style)
    keep(method.tree)
    return (declaration, error)
  }

  /// A property.
  public mutating func property(attributes: String, name: String) -> Result {
    let (property, error) = PropertyEncoding.lenient(
      attributes: attributes, name: name, dialect: dialect, limits: limits, reusing: &spare)
    let declaration = property.declaration(style: style)
    keep(property.type.tree)
    return (declaration, error)
  }

  /// A block's signature.
  public mutating func block(_ signature: String, named name: String? = nil) -> Result {
    let (block, error) = BlockSignature.lenient(signature, dialect: dialect, limits: limits, reusing: &spare)
    let declaration = block.declaration(named: name, style: style)
    keep(block.tree)
    return (declaration, error)
  }

  /// Keeps the nodes for the next string.
  private mutating func keep(_ tree: EncodingTree) {
    // One huge string is no reason to hold its memory for ever.
    spare = tree.nodes.count <= 4096 ? tree.nodes : []
  }
}
