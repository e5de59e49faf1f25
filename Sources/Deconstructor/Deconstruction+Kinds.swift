// Floor 4: the words that a deconstruction is described with.

extension Deconstruction {
  /// What a node is.
  public enum Kind: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// A value without parts: a number, a string, a date, `nil`, a case without a payload.
    case value
    /// A struct with its fields, or the form a type has chosen for itself.
    case structure
    /// A tuple.
    case tuple
    /// An instance of a class or an actor.
    case object
    /// A case of an enum with its payload.
    case enumeration
    /// Elements in order.
    case list
    /// Keys and values.
    case dictionary
    /// Members in an order made for reading.
    case set
    /// A closure with what it has captured.
    case closure
    /// Fields of one class above the object's own, or a key and a value.
    case group
    /// Says how much was left out here.
    case omission
    /// A value that cannot be copied: type and size.
    case noncopyable
    /// Left out because the options say so.
    case redacted
    /// Could not be read; the text says why.
    case unreadable

    /// The name in JSON.
    public var name: String { Self.names[Int(rawValue)] }

    // Written out, since a program may be built without the names of cases.
    private static let names = [
      "value", "structure", "tuple", "object", "enumeration", "list", "dictionary", "set", "closure", "group",
      "omission", "noncopyable", "redacted", "unreadable",
    ]

    static let allNames = Dictionary(allCases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// How a place refers to an object.
  public enum Reference: String, Sendable, Codable {
    case strong, weak, unowned
    /// `unowned(unsafe)`, of which only the address can be read.
    case unmanaged

    var number: UInt8 {
      switch self {
      case .strong: 0
      case .weak: 1
      case .unowned: 2
      case .unmanaged: 3
      }
    }

    init(number: UInt8) {
      switch number {
      case 1: self = .weak
      case 2: self = .unowned
      case 3: self = .unmanaged
      default: self = .strong
      }
    }
  }

  /// Whether an object is shown at a node or elsewhere.
  public enum Sighting: String, Sendable, Codable, BitwiseCopyable {
    /// Its parts follow.
    case first
    /// Its parts stand above.
    case shownAbove
    /// The node is one of its own parts.
    case cycle
    /// The reference is not one that is followed: weak or unowned.
    case notFollowed
    /// It is deeper than the options allow.
    case tooDeep
  }
}
