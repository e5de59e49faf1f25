/// An Objective-C type encoding, taken apart: what `@encode`, an `objCType`, an instance variable or an argument holds.
///
/// ```swift
/// let encoding = try TypeEncoding("[4^[2^i]]")
/// encoding.type.declaration(named: "table")   // int *(*table[4])[2]
/// ```
///
/// Parsing takes time linear in the length of the text, one allocation for short texts, and no recursion.
public struct TypeEncoding: Sendable, Equatable {
  /// The type that is encoded.
  public let type: EncodedType

  /// Takes an encoding apart.
  ///
  /// - Parameters:
  ///   - text: the whole encoding. An empty one is the encoding of a type that has none.
  ///   - dialect: whose compiler wrote it, where the text itself does not tell.
  ///   - limits: what to accept.
  /// - Throws: where the text is no encoding: the byte, what was expected and what was found.
  public init(_ text: String, dialect: EncodingDialect = .apple, limits: ParsingLimits = ParsingLimits())
    throws(TypeEncodingError)
  {
    let (encoding, error) = Self.lenient(text, dialect: dialect, limits: limits)
    if let error { throw error }
    self = encoding
  }

  /// Takes an encoding apart as far as it goes: what was read before the mistake, and the mistake.
  public static func lenient(
    _ text: String, dialect: EncodingDialect = .apple, limits: ParsingLimits = ParsingLimits()
  ) -> (encoding: TypeEncoding, error: TypeEncodingError?) {
    var spare = ContiguousArray<EncodingNode>()
    return lenient(text, dialect: dialect, limits: limits, reusing: &spare)
  }

  static func lenient(
    _ text: String, dialect: EncodingDialect, limits: ParsingLimits,
    reusing spare: inout ContiguousArray<EncodingNode>
  ) -> (encoding: TypeEncoding, error: TypeEncodingError?) {
    let (tree, error) = EncodingTree.build(text, dialect: dialect, limits: limits, reusing: &spare) {
      (builder) throws(TypeEncodingError) in
      try builder.parseType()
      guard builder.position == builder.bytes.count else {
        throw builder.failure(.trailingText, expected: "the end")
      }
    }
    return (TypeEncoding(type: EncodedType(tree: tree, index: 0)), error)
  }

  init(type: EncodedType) { self.type = type }

  /// The text that was taken apart.
  public var text: String { type.tree.source }

  /// The dialect it was read in: the one its bytes prove, or else the one that was asked for.
  public var dialect: EncodingDialect { type.tree.dialect }

  /// The dialect that the bytes prove, `nil` where every compiler would write the same.
  public var provenDialect: EncodingDialect? { type.tree.proven }

  /// The type as a declaration; see ``EncodedType/declaration(named:style:)``.
  public func declaration(named name: String? = nil, style: DeclarationStyle = DeclarationStyle()) -> String {
    type.declaration(named: name, style: style)
  }
}

extension EncodingTree {
  /// Runs a parser over a text. The tree holds at least one type, whatever happened.
  ///
  /// `spare` is the nodes of an earlier tree, whose memory is used again.
  static func build(
    _ text: String, dialect: EncodingDialect, limits: ParsingLimits,
    reusing spare: inout ContiguousArray<EncodingNode>,
    _ parse: (inout TreeBuilder) throws(TypeEncodingError) -> Void
  ) -> (tree: EncodingTree, error: TypeEncodingError?) {
    func run(_ bytes: UnsafeBufferPointer<UInt8>) -> (EncodingTree, TypeEncodingError?) {
      do throws(TypeEncodingError) {
        var builder = try TreeBuilder(bytes: bytes, limits: limits, reusing: &spare)
        var failure: TypeEncodingError?
        do throws(TypeEncodingError) { try parse(&builder) } catch { failure = error }
        builder.closeAll()
        if builder.nodes.isEmpty { builder.append(.none, length: 0) }
        let tree = EncodingTree(
          source: text, nodes: builder.nodes, dialect: builder.evidence.resolved(asked: dialect),
          proven: builder.evidence.proven)
        return (tree, failure)
      } catch {
        // Too long to look at: an empty text stands for it, so that no offset points outside.
        let none = EncodingNode(kind: .none, start: 0, end: 0, next: 1)
        return (EncodingTree(source: "", nodes: [none], dialect: dialect), error)
      }
    }
    if let result = text.utf8.withContiguousStorageIfAvailable(run) { return result }
    var native = text
    return native.withUTF8(run)
  }
}
