/// A method: its types, as the runtime keeps them, and its selector.
///
/// ```swift
/// let method = try MethodEncoding(types: "v32@0:8@16@\"NSString\"24", selector: "-setValue:forKey:")
/// method.declaration()   // - (void)setValue:(id)value forKey:(NSString *)key;
/// ```
public struct MethodEncoding: Sendable {
  /// One argument, or the receiver, or the result.
  public struct Slot: Sendable {
    /// Its type.
    public let type: EncodedType
    /// Where it is in the argument frame, in bytes; `nil` in types without offsets. For the result: the frame's size.
    public let offset: Int?
    /// Whether GCC passes it in a register.
    public let isInRegister: Bool
  }

  /// What is odd about a method whose types could be read.
  public enum Note: Sendable, Equatable, CustomStringConvertible {
    /// There are no types at all: everything is taken to be `id`.
    case noTypes
    /// The types have another number of arguments than the selector has colons.
    case argumentCount(types: Int, selector: Int)
    /// A bit-field as an argument has swallowed the offset behind it: `b316` is `b3` at 16, or a width of 316.
    case bitFieldArgument(Int)
    /// The second and third type are not an object or class, and a selector.
    case unusualReceiver

    /// The note in a few words.
    public var description: String {
      switch self {
      case .noTypes: "no types: everything is taken to be id"
      case .argumentCount(let types, let selector):
        "the types have \(Self.arguments(types)), the selector takes \(selector)"
      case .bitFieldArgument(let number): "argument \(number) is a bit-field, whose width includes the offset behind it"
      case .unusualReceiver: "self and _cmd are not an object and a selector"
      }
    }

    private static func arguments(_ count: Int) -> String { count == 1 ? "1 argument" : "\(count) arguments" }
  }

  /// The selector as it was given.
  private let givenSelector: String

  let tree: EncodingTree

  /// Takes a method apart.
  ///
  /// - Parameters:
  ///   - types: what `method_getTypeEncoding` gives, with frame offsets or without, extended types included.
  ///   - selector: `-setValue:forKey:`; without a sign it is an instance's. `-[Class name:]` is read too.
  ///   - dialect: whose compiler wrote it, where the text itself does not tell.
  ///   - limits: what to accept.
  /// - Throws: where the types are no encodings, or end before `_cmd`.
  public init(
    types: String, selector: String, dialect: EncodingDialect = .apple, limits: ParsingLimits = ParsingLimits()
  ) throws(TypeEncodingError) {
    let (method, error) = Self.lenient(types: types, selector: selector, dialect: dialect, limits: limits)
    if let error { throw error }
    self = method
  }

  /// Takes a method apart as far as it goes: what was read before the mistake, and the mistake.
  public static func lenient(
    types: String, selector: String, dialect: EncodingDialect = .apple, limits: ParsingLimits = ParsingLimits()
  ) -> (method: MethodEncoding, error: TypeEncodingError?) {
    var spare = ContiguousArray<EncodingNode>()
    return lenient(types: types, selector: selector, dialect: dialect, limits: limits, reusing: &spare)
  }

  static func lenient(
    types: String, selector: String, dialect: EncodingDialect, limits: ParsingLimits,
    reusing spare: inout ContiguousArray<EncodingNode>
  ) -> (method: MethodEncoding, error: TypeEncodingError?) {
    let (tree, error) = EncodingTree.build(types, dialect: dialect, limits: limits, reusing: &spare) {
      (builder) throws(TypeEncodingError) in
      guard !builder.bytes.isEmpty else { return }
      try builder.parseTypeList()
      let roots = builder.rootCount(upTo: 3)
      guard roots >= 3 else {
        throw builder.failure(.missingArguments, expected: roots < 2 ? "self, '@'" : "_cmd, ':'")
      }
    }
    return (MethodEncoding(tree: tree, selector: selector), error)
  }

  private init(tree: EncodingTree, selector: String) {
    self.tree = tree
    givenSelector = selector
  }

  /// The selector without a sign.
  public var selector: String { String(selectorText) }

  /// The selector without a sign, as a piece of what was given.
  var selectorText: Substring { ParsedSelector.name(in: givenSelector) }

  /// Whether the method is the class's.
  public var isClassMethod: Bool { givenSelector.utf8.first == UInt8(ascii: "+") }
}

extension MethodEncoding {
  /// What it returns; its offset is the size of the argument frame.
  public var result: Slot {
    tree.slot(0) ?? Slot(type: EncodedType(tree: tree, index: 0), offset: nil, isInRegister: false)
  }

  /// `self`, `nil` where the types end before it.
  public var receiver: Slot? { tree.slot(1) }

  /// `_cmd`, `nil` where the types end before it.
  public var command: Slot? { tree.slot(2) }

  /// The arguments after `_cmd`.
  public var arguments: [Slot] { tree.slots(from: 3) }

  /// The size of the argument frame in bytes, where the types say it.
  public var frameSize: Int? { result.offset }

  /// What is odd about it.
  public var notes: [Note] {
    guard !tree.source.isEmpty else { return [.noTypes] }
    var notes: [Note] = []
    var number = 0
    tree.forEachType { index in
      let node = tree.nodes[index]
      switch number {
      case 0: break
      case 1: if !node.canBeReceiver { notes.append(.unusualReceiver) }
      case 2: if !node.canBeCommand, notes.isEmpty { notes.append(.unusualReceiver) }
      default: if node.kind == .bits { notes.append(.bitFieldArgument(number - 2)) }
      }
      number += 1
    }
    let takes = ParsedSelector.argumentCount(of: selectorText)
    let has = max(0, number - 3)
    if has != takes { notes.append(.argumentCount(types: has, selector: takes)) }
    return notes
  }
}

extension TreeBuilder {
  /// How many types there are side by side, up to a limit.
  func rootCount(upTo limit: Int) -> Int {
    var index = 0
    var count = 0
    while index < nodes.count, count < limit {
      if nodes[index].kind != .offset { count += 1 }
      let next = Int(nodes[index].next)
      guard next > index else { break }
      index = next
    }
    return count
  }
}

extension EncodingNode {
  /// `@`, `#` and pointers to records can be `self`.
  fileprivate var canBeReceiver: Bool {
    switch kind {
    case .object, .pointer, .block, .record: true
    case .scalar: code == ScalarType.classObject.rawValue
    default: false
    }
  }

  fileprivate var canBeCommand: Bool { kind == .scalar && code == ScalarType.selector.rawValue || kind == .pointer }
}
