/// A type that is one byte of an encoding.
public enum ScalarType: UInt8, Sendable, CaseIterable {
  /// `c`.
  case char = 0x63
  /// `C`.
  case unsignedChar = 0x43
  /// `s`.
  case short = 0x73
  /// `S`.
  case unsignedShort = 0x53
  /// `i`.
  case int = 0x69
  /// `I`.
  case unsignedInt = 0x49
  /// `l`: 32 bits wide, also where a `long` has 64.
  case long = 0x6C
  /// `L`: 32 bits wide, also where a `long` has 64.
  case unsignedLong = 0x4C
  /// `q`.
  case longLong = 0x71
  /// `Q`.
  case unsignedLongLong = 0x51
  /// `t`.
  case int128 = 0x74
  /// `T`.
  case unsignedInt128 = 0x54
  /// A space.
  case half = 0x20
  /// `f`.
  case float = 0x66
  /// `d`.
  case double = 0x64
  /// `D`.
  case longDouble = 0x44
  /// `B`: C's `_Bool`, which is `BOOL` on arm64.
  case bool = 0x42
  /// `v`.
  case void = 0x76
  /// `#`.
  case classObject = 0x23
  /// `:`.
  case selector = 0x3A
  /// `%`: NeXT's unique string.
  case atom = 0x25

  /// The type in a declaration.
  public var declaration: String { String(describing: keyword) }

  /// The type in a declaration, as the compiler's own memory has it.
  var keyword: StaticString {
    switch self {
    case .char: "char"
    case .unsignedChar: "unsigned char"
    case .short: "short"
    case .unsignedShort: "unsigned short"
    case .int: "int"
    case .unsignedInt: "unsigned int"
    case .long: "long"
    case .unsignedLong: "unsigned long"
    case .longLong: "long long"
    case .unsignedLongLong: "unsigned long long"
    case .int128: "__int128"
    case .unsignedInt128: "unsigned __int128"
    case .half: "_Float16"
    case .float: "float"
    case .double: "double"
    case .longDouble: "long double"
    case .bool: "BOOL"
    case .void: "void"
    case .classObject: "Class"
    case .selector: "SEL"
    case .atom: "NXAtom"
    }
  }
}
