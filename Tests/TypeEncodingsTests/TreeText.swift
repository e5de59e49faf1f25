// A type as a dump that no choice of style touches: `ptr(array(3,int))`. What the corpus calls `tree`.
import TypeEncodings

enum TreeText {
  static func of(_ type: EncodedType) -> String {
    let words = type.qualifiers.compactMap { $0 == .const ? nil : $0.keyword }
    let order = ["oneway", "in", "inout", "out", "bycopy", "byref"]
    let leading = order.filter { words.contains($0) }
    return (leading + (type.isConst ? ["const"] : []) + [core(type)]).joined(separator: " ")
  }

  private static func core(_ type: EncodedType) -> String {
    switch type.kind {
    case .unknown: return "none"
    case .scalar(let scalar): return name(of: scalar)
    case .characterPointer(let isConst): return isConst ? "ptr(const char)" : "ptr(char)"
    case .pointer(let pointee): return "ptr(\(of(pointee)))"
    case .atomic(let value): return "atomic(\(of(value)))"
    case .complex(let part): return "complex(\(of(part)))"
    case .object(let object):
      return "object(\(object.className ?? "id")\(object.protocols.map { "<\($0)>" }.joined()))"
    case .block(let signature):
      guard let signature else { return "block(?)" }
      return "block(\(([signature.result] + signature.arguments).map(of).joined(separator: ",")))"
    case .function: return "func(?)"
    case .array(let count, let element): return "array(\(count.map(String.init) ?? "?"),\(of(element)))"
    case .vector(let bytes, let alignment, let element): return "vector(\(bytes),\(alignment),\(of(element)))"
    case .record(let record):
      let members = record.members.map { ($0.name.map { $0.isEmpty ? "" : $0 + ":" } ?? "") + of($0.type) }
      return (record.isUnion ? "union(" : "struct(") + (record.tag ?? "?")
        + (record.listsMembers ? "=" : "") + members.joined(separator: ";") + ")"
    case .bitField(let field):
      guard let position = field.position, let storage = field.storage else { return "bits(\(field.width))" }
      return "bits(\(position),\(field.width),\(name(of: storage)))"
    }
  }

  private static func name(of scalar: ScalarType) -> String {
    switch scalar {
    case .bool: "bool"
    case .half: "half"
    case .atom: "atom"
    default: scalar.declaration
    }
  }

  static func of(_ method: MethodEncoding) -> String {
    "method(\(([method.result] + method.arguments).map { of($0.type) }.joined(separator: ";")))"
  }

  static func of(_ block: BlockSignature) -> String {
    "block(\(([block.result] + block.arguments).map { of($0.type) }.joined(separator: ",")))"
  }
}
