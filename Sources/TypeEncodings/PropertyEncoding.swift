/// A property: its attribute string, as the runtime keeps it, and its name.
///
/// ```swift
/// let property = try PropertyEncoding(attributes: "T@\"NSString\",C,N,V_title", name: "title")
/// property.declaration()   // @property (nonatomic, copy) NSString *title;
/// ```
public struct PropertyEncoding: Sendable {
  /// How the value is kept.
  public enum Ownership: String, Sendable, Codable {
    case assign, strong, copy, weak
  }

  /// The name, without a sign.
  public let name: String
  /// Whether the property is the class's: its name came as `+name`.
  public let isClassProperty: Bool
  /// The type; without an encoding where the attributes have none.
  public let type: EncodedType
  /// `&`, `C`, `W`; `assign` without any of them.
  public let ownership: Ownership
  /// `R`.
  public let isReadOnly: Bool
  /// `N`.
  public let isNonatomic: Bool
  /// `D`: `@dynamic`, the accessors come at run time.
  public let isDynamic: Bool
  /// `?`: an `@optional` property of a protocol.
  public let isOptional: Bool
  /// `P`: eligible for garbage collection.
  public let isCollectable: Bool
  /// `G`, the getter's selector where it is not the name.
  public let getter: String?
  /// `S`, the setter's selector where it is not `setName:`.
  public let setter: String?
  /// `V`, the instance variable behind it.
  public let instanceVariable: String?
  /// Attributes with a long, quoted name, and `t`: what they hold, unread.
  public let otherAttributes: [String]

  /// Takes a property apart.
  ///
  /// - Parameters:
  ///   - attributes: what `property_getAttributes` gives. Attributes in any order; commas inside the type are its own.
  ///   - name: the property's name, with `+` before it for a class property.
  ///   - dialect: whose compiler wrote it, where the text itself does not tell.
  ///   - limits: what to accept.
  /// - Throws: where the type is no encoding, is missing, or an attribute is none.
  public init(
    attributes: String, name: String, dialect: EncodingDialect = .apple, limits: ParsingLimits = ParsingLimits()
  ) throws(TypeEncodingError) {
    let (property, error) = Self.lenient(attributes: attributes, name: name, dialect: dialect, limits: limits)
    if let error { throw error }
    self = property
  }

  /// Takes a property apart as far as it goes: what was read before the mistake, and the mistake.
  public static func lenient(
    attributes: String, name: String, dialect: EncodingDialect = .apple, limits: ParsingLimits = ParsingLimits()
  ) -> (property: PropertyEncoding, error: TypeEncodingError?) {
    var spare = ContiguousArray<EncodingNode>()
    return lenient(attributes: attributes, name: name, dialect: dialect, limits: limits, reusing: &spare)
  }

  static func lenient(
    attributes: String, name: String, dialect: EncodingDialect, limits: ParsingLimits,
    reusing spare: inout ContiguousArray<EncodingNode>
  ) -> (property: PropertyEncoding, error: TypeEncodingError?) {
    var scan = PropertyScan()
    let (tree, error) = EncodingTree.build(attributes, dialect: dialect, limits: limits, reusing: &spare) {
      (builder) throws(TypeEncodingError) in
      try scan.run(&builder)
    }
    return (PropertyEncoding(tree: tree, scan: scan, name: name), error)
  }

  private init(tree: EncodingTree, scan: PropertyScan, name: String) {
    isClassProperty = name.hasPrefix("+")
    self.name = isClassProperty || name.hasPrefix("-") ? String(name.dropFirst()) : name
    type = EncodedType(tree: tree, index: 0)
    func text(_ range: Range<Int>?) -> String? {
      range.map { String(tree.text(UInt32($0.lowerBound), UInt32($0.count))) }
    }
    ownership = scan.has("W") ? .weak : scan.has("C") ? .copy : scan.has("&") ? .strong : .assign
    isReadOnly = scan.has("R")
    isNonatomic = scan.has("N")
    isDynamic = scan.has("D")
    isOptional = scan.has("?")
    isCollectable = scan.has("P")
    getter = text(scan.getter)
    setter = text(scan.setter)
    instanceVariable = text(scan.variable)
    otherAttributes = scan.others.compactMap { text($0) }
  }

  /// The selector that reads it.
  public var getterSelector: String { getter ?? name }

  /// The selector that writes it, `nil` where nothing may.
  public var setterSelector: String? {
    isReadOnly ? nil : setter ?? "set" + name.prefix(1).uppercased() + name.dropFirst() + ":"
  }

  /// The property as a header has it: `@property (nonatomic, copy) NSString *title;`.
  public func declaration(style: DeclarationStyle = DeclarationStyle()) -> String {
    DeclarationWriter.text(type.tree, style: style) { writer in
      writer.text.append("@property ")
      putKeywords(&writer.text)
      writer.declare(type.index, .name(name))
      writer.text.append(";")
    }
  }

  /// The words in parentheses, in the order a person writes them.
  private func putKeywords(_ text: inout TextBuffer) {
    let start = text.count
    func put(_ word: StaticString, _ value: String? = nil) {
      text.append(text.count == start ? "(" as StaticString : ", ")
      text.append(word)
      if let value { text.append(value) }
    }
    if isClassProperty { put("class") }
    if isNonatomic { put("nonatomic") }
    switch ownership {
    case .assign: break
    case .strong: put("strong")
    case .copy: put("copy")
    case .weak: put("weak")
    }
    if isReadOnly { put("readonly") }
    if let getter { put("getter=", getter) }
    if let setter { put("setter=", setter) }
    if text.count > start { text.append(") ") }
  }
}

/// The attributes while they are read.
private struct PropertyScan {
  /// The letters that were met, each a bit: all of them are below 96.
  private var letters: (UInt64, UInt64) = (0, 0)
  var getter: Range<Int>?
  var setter: Range<Int>?
  var variable: Range<Int>?
  var others: [Range<Int>] = []
  var hasType = false

  func has(_ letter: Unicode.Scalar) -> Bool {
    let code = letter.value
    return code < 64 ? letters.0 >> UInt64(code) & 1 == 1 : letters.1 >> UInt64(code & 63) & 1 == 1
  }

  private mutating func note(_ letter: UInt8) {
    if letter < 64 { letters.0 |= 1 << UInt64(letter) } else { letters.1 |= 1 << UInt64(letter & 63) }
  }

  mutating func run(_ builder: inout TreeBuilder) throws(TypeEncodingError) {
    repeat {
      try attribute(&builder)
      guard builder.current != nil else { break }
      guard builder.current == UInt8(ascii: ",") else {
        throw builder.failure(.trailingText, expected: "',' or the end")
      }
      builder.position += 1
    } while true
    guard hasType else { throw builder.failure(.missingType, expected: "'T' and a type") }
  }

  private mutating func attribute(_ builder: inout TreeBuilder) throws(TypeEncodingError) {
    guard let letter = builder.current else {
      throw builder.failure(.unknownAttribute, expected: "an attribute")
    }
    switch letter {
    case UInt8(ascii: "T"):
      guard !hasType else { throw builder.failure(.repeatedAttribute, expected: "no second type") }
      builder.position += 1
      hasType = true
      try builder.parseType()
    case UInt8(ascii: "G"): getter = try value(&builder, after: getter, "the getter's selector")
    case UInt8(ascii: "S"): setter = try value(&builder, after: setter, "the setter's selector")
    case UInt8(ascii: "V"): variable = try value(&builder, after: variable, "an instance variable")
    case UInt8(ascii: "t"): others.append(rest(&builder))
    case UInt8(ascii: "\""): try quoted(&builder)
    case UInt8(ascii: "R"), UInt8(ascii: "C"), UInt8(ascii: "&"), UInt8(ascii: "W"), UInt8(ascii: "N"),
      UInt8(ascii: "D"), UInt8(ascii: "P"), UInt8(ascii: "?"), UInt8(ascii: "A"):
      note(letter)
      builder.position += 1
    default: throw builder.failure(.unknownAttribute, expected: "an attribute: one of T R C & W N D P ? G S V")
    }
  }

  /// The text behind a letter, up to the next comma.
  private func value(_ builder: inout TreeBuilder, after earlier: Range<Int>?, _ what: String) throws(TypeEncodingError)
    -> Range<Int>
  {
    guard earlier == nil else { throw builder.failure(.repeatedAttribute, expected: "no second \(what)") }
    let range = rest(&builder).dropFirst()
    guard !range.isEmpty else { throw builder.failure(.unknownAttribute, expected: what) }
    return range
  }

  private func rest(_ builder: inout TreeBuilder) -> Range<Int> {
    let start = builder.position
    while let byte = builder.current, byte != UInt8(ascii: ",") { builder.position += 1 }
    return start..<builder.position
  }

  /// An attribute with a long name: `"name"value`.
  private mutating func quoted(_ builder: inout TreeBuilder) throws(TypeEncodingError) {
    let start = builder.position
    builder.position += 1
    while let byte = builder.current, byte != UInt8(ascii: "\"") { builder.position += 1 }
    guard builder.current != nil else { throw builder.failure(.unclosedQuote, expected: "'\"'") }
    builder.position += 1
    others.append(start..<rest(&builder).upperBound)
  }
}
