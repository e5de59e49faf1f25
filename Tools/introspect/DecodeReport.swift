// A decoded line as JSON.

import FoundationEssentials
import Symbolication
import TypeEncodings

/// A decoded line. What does not apply is absent.
struct DecodeReport: Encodable {
  struct Failure: Encodable {
    var message: String
    var offset: Int?
    var expected: String?
    var found: String?
  }

  struct Argument: Encodable {
    var type: String
    var encoding: String
    var offset: Int?
    var size: UInt64?
  }

  struct Method: Encodable {
    var selector: String
    var isClassMethod: Bool
    var result: Argument
    var arguments: [Argument]
    var frameSize: Int?
    var notes: [String]
  }

  struct Property: Encodable {
    var name: String
    var ownership: PropertyEncoding.Ownership
    var isReadOnly: Bool
    var isNonatomic: Bool
    var isDynamic: Bool
    var isOptional: Bool
    var getter: String
    var setter: String?
    var instanceVariable: String?
  }

  struct Block: Encodable {
    var result: Argument
    var arguments: [Argument]
    var frameSize: Int?
  }

  var schema = "introspect.decode/1"
  var input: String
  var kind: DecodeKind
  var declaration: String
  /// Whether the declaration is all that could be read of something that is not right.
  var isBestEffort: Bool
  var error: Failure?
  var dialect: EncodingDialect?
  var layout: TypeLayout?
  var type: TypeReport?
  var method: Method?
  var property: Property?
  var block: Block?
  var name: DecodedName?

  init(_ line: DecodedLine, options: DecodeOptions) {
    input = line.input
    kind = line.kind
    declaration = line.text
    isBestEffort = line.hasFailed
    if let mistake = line.error {
      error = Failure(
        message: mistake.summary, offset: mistake.offset, expected: mistake.expected, found: mistake.foundText)
    } else if let problem = line.problem {
      error = Failure(message: problem)
    }
    let model: DataModel = options.dialect == .apple ? .lp64Apple : .lp64GNU
    func argument(_ slot: MethodEncoding.Slot) -> Argument {
      Argument(
        type: slot.type.declaration(style: options.style), encoding: slot.type.text, offset: slot.offset,
        size: slot.type.layout(in: model)?.size)
    }
    switch line.details {
    case .none: break
    case .type(let value): describe(value, model)
    case .method(let value):
      method = Method(
        selector: value.selector, isClassMethod: value.isClassMethod, result: argument(value.result),
        arguments: value.arguments.map(argument), frameSize: value.frameSize, notes: value.notes.map(\.description))
      dialect = value.result.type.dialect
    case .property(let value):
      describe(value.type, model)
      property = Property(
        name: value.name, ownership: value.ownership, isReadOnly: value.isReadOnly, isNonatomic: value.isNonatomic,
        isDynamic: value.isDynamic, isOptional: value.isOptional, getter: value.getterSelector,
        setter: value.setterSelector, instanceVariable: value.instanceVariable)
    case .block(let value):
      block = Block(
        result: argument(value.result), arguments: value.arguments.map(argument), frameSize: value.frameSize)
      dialect = value.result.type.dialect
    case .name(let value):
      name = value
      declaration = value.declaration
    }
  }

  private mutating func describe(_ value: EncodedType, _ model: DataModel) {
    type = TypeReport(value)
    layout = value.layout(in: model)
    dialect = value.dialect
  }

  /// The report on one line.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}
