/// Why a text is no encoding: what is wrong, at which byte, what was expected there and what was found.
///
/// Offsets count bytes of the UTF-8 text from 0. Text made from bytes that are not UTF-8 counts with the replacement
/// characters in it.
public struct TypeEncodingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What kind of mistake it is.
  public enum Problem: Equatable, Sendable {
    /// A struct, union, array, vector or block signature that is opened and not closed.
    case unclosed(Construct)
    /// A closing bracket of another kind than the one that is open.
    case mismatchedCloser(Construct)
    /// A quoted name without its second quote.
    case unclosedQuote
    /// A byte that begins no type.
    case unknownCode
    /// Text after the end of what was asked for.
    case trailingText
    /// A number is missing: a bit-field's width, an array's or vector's count.
    case missingNumber
    /// A number over 2⁶⁴, or an offset or width beyond any frame.
    case numberTooLarge
    /// An array with fewer than no elements.
    case negativeCount
    /// A struct or union without a name; clang writes `?` for those.
    case missingTag
    /// `<…>` of a class that is empty or not closed.
    case malformedProtocols
    /// A block signature without the block itself, `@?`.
    case missingBlock
    /// More levels than the limit.
    case tooDeep(limit: Int)
    /// More than eight qualifiers in a row.
    case tooManyQualifiers
    /// More bytes than the limit.
    case tooLong(limit: Int)
    /// A tag whose brackets do not pair, tried in too many ways.
    case ambiguousTag
    /// Method types without receiver or selector.
    case missingArguments
    /// A property attribute that no compiler writes, or an empty one.
    case unknownAttribute
    /// A property without a type.
    case missingType
    /// A property with two types, or two instance variables.
    case repeatedAttribute
    /// Text that is no encoding of the kind that was asked for.
    case notRecognized
  }

  /// What is open.
  public enum Construct: String, Equatable, Sendable {
    case `struct`, union, array, vector
    case block = "block signature"
  }

  /// What kind of mistake it is.
  public let problem: Problem
  /// The byte it was noticed at, from 0; the length of the text where the text ends too early.
  public let offset: Int
  /// What could have stood there.
  public let expected: String
  /// The byte that stood there; `nil` at the end of the text.
  public let found: UInt8?

  init(_ problem: Problem, at offset: Int, expected: String, found: UInt8?) {
    self.problem = problem
    self.offset = offset
    self.expected = expected
    self.found = found
  }

  /// The mistake in a few words: `a struct that is never closed`.
  public var summary: String {
    switch problem {
    case .unclosed(let construct): "\(construct.article) that is never closed"
    case .mismatchedCloser(let construct): "\(construct.article) closed by the wrong bracket"
    case .unclosedQuote: "a quoted name that is never closed"
    case .unknownCode: "a byte that begins no type"
    case .trailingText: "text after the end of the encoding"
    case .missingNumber: "a number is missing"
    case .numberTooLarge: "a number too large to be true"
    case .negativeCount: "an array with a negative count"
    case .missingTag: "a struct or union without a name"
    case .malformedProtocols: "a protocol list that is empty or never closed"
    case .missingBlock: "a block signature without the block itself"
    case .tooDeep(let limit): "more than \(limit) levels of nesting"
    case .tooManyQualifiers: "more than \(QualifierList.capacity) qualifiers in a row"
    case .tooLong(let limit): "longer than \(limit) bytes"
    case .ambiguousTag: "a name whose brackets do not pair"
    case .missingArguments: "method types without self and _cmd"
    case .unknownAttribute: "a property attribute that no compiler writes"
    case .missingType: "a property without a type"
    case .repeatedAttribute: "a property attribute given twice"
    case .notRecognized: "not an encoding of this kind"
    }
  }

  /// What was expected and found: `byte 19: expected a member or '}', found the end`.
  public var detail: String { "byte \(offset): expected \(expected), found \(foundText)" }

  /// What was found, for a reader: `'x'`, `byte 0x7F`, `the end`.
  public var foundText: String {
    guard let found else { return "the end" }
    return (0x21...0x7E).contains(found)
      ? "'\(Character(UnicodeScalar(found)))'"
      : found == 0x20 ? "a space" : "byte 0x" + (found < 16 ? "0" : "") + String(found, radix: 16, uppercase: true)
  }

  /// The mistake on one line.
  public var description: String { "\(summary) (\(detail))" }

  /// The same mistake in a text that begins `shift` bytes earlier.
  public func moved(by shift: Int) -> TypeEncodingError {
    TypeEncodingError(problem, at: offset + shift, expected: expected, found: found)
  }
}

extension TypeEncodingError.Construct {
  var article: String { self == .union ? "a union" : self == .array ? "an array" : "a \(rawValue)" }
}
