/// A word before a type: `const`, and Distributed Objects' and the collectors' own.
public enum TypeQualifier: UInt8, Sendable, Codable, CaseIterable {
  /// `r`.
  case const = 1
  /// `n`.
  case `in`
  /// `N`.
  case `inout`
  /// `o`.
  case out
  /// `O`.
  case bycopy
  /// `R`.
  case byref
  /// `V`.
  case oneway
  /// `+`: GCC's mark of an argument in a register.
  case register
  /// `|`: GCC's mark of what the collector must not see.
  case collectorInvisible

  /// The byte that stands for it.
  public var code: UInt8 {
    switch self {
    case .const: UInt8(ascii: "r")
    case .in: UInt8(ascii: "n")
    case .inout: UInt8(ascii: "N")
    case .out: UInt8(ascii: "o")
    case .bycopy: UInt8(ascii: "O")
    case .byref: UInt8(ascii: "R")
    case .oneway: UInt8(ascii: "V")
    case .register: UInt8(ascii: "+")
    case .collectorInvisible: UInt8(ascii: "|")
    }
  }

  /// The word in a declaration; the two marks of GCC have none.
  public var keyword: String? { literal.map { String(describing: $0) } }

  var literal: StaticString? {
    switch self {
    case .const: "const"
    case .in: "in"
    case .inout: "inout"
    case .out: "out"
    case .bycopy: "bycopy"
    case .byref: "byref"
    case .oneway: "oneway"
    case .register, .collectorInvisible: nil
    }
  }

  /// The words that stand before everything else, in the order a person writes them.
  static let leading: [TypeQualifier] = [.oneway, .in, .inout, .out, .bycopy, .byref]

  @inline(__always) init?(code: UInt8) {
    switch code {
    case UInt8(ascii: "r"): self = .const
    case UInt8(ascii: "n"): self = .in
    case UInt8(ascii: "N"): self = .inout
    case UInt8(ascii: "o"): self = .out
    case UInt8(ascii: "O"): self = .bycopy
    case UInt8(ascii: "R"): self = .byref
    case UInt8(ascii: "V"): self = .oneway
    case UInt8(ascii: "+"): self = .register
    case UInt8(ascii: "|"): self = .collectorInvisible
    default: return nil
    }
  }
}
