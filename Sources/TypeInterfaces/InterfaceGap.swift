/// Something about a declaration that a program does not tell.
public enum InterfaceGap: String, Codable, Hashable, Sendable, CaseIterable {
  /// The file has been stripped: members are not known at all, or only what it exports.
  case symbols
  /// The module was compiled without reflection metadata: stored properties and cases are not known, or only their types.
  case reflection
  /// Types of fields that the program computes when it runs.
  case fieldTypes
  /// What is asked of generic parameters, in part.
  case constraints
  /// Methods of a protocol that nothing in this file implements, or that were removed with it.
  case requirements
  /// Offsets and sizes that a program works out when it first uses the type, or whose place no symbol tells.
  case layout

  /// One line for a reader.
  public var explanation: String {
    switch self {
    case .symbols: "symbols are stripped: no members, or only exported ones"
    case .reflection: "compiled without reflection metadata: no stored properties or cases but those that symbols name"
    case .fieldTypes: "some types of fields are worked out at run time"
    case .constraints: "some constraints could not be read"
    case .requirements: "some requirements have no symbol in this file"
    case .layout: "sizes or offsets: not in the file, or worked out at run time"
    }
  }
}
