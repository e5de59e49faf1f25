import ProcessMemory
import Symbolication

/// Why a declaration could not be read. `description` says what happened, to what, and what to do next.
public enum TypeInterfaceError: Error, Hashable, Sendable {
  /// The file, or elfutils, could not be read.
  case file(SymbolError)
  /// The process could not be read.
  case process(ProcessMemoryError)
  /// There are no Swift types in it: it is no Swift program, or its sections have been removed.
  case noSwiftTypes(path: String)
  /// The type has no declaration of its own: a tuple, a function, a metatype, an existential.
  case notNominal(type: String)
  /// The image that holds the type's descriptor could not be found among those of the process.
  case noImage(type: String)
}

extension TypeInterfaceError: CustomStringConvertible {
  /// What happened, to what, and what to do next.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .process(let error): error.description
    case .noSwiftTypes(let path):
      "\(path) has no Swift types: not written in Swift, or its sections have been removed"
    case .notNominal(let type):
      "\(type) is not declared anywhere: only structs, enums, classes, actors and protocols are"
    case .noImage(let type):
      "the file that declares \(type) is not among those that this process has loaded"
    }
  }
}
