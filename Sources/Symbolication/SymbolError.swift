#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Why the symbols of a file could not be read. `description` says what happened, to what, and what to do next.
public enum SymbolError: Error, Hashable, Sendable {
  /// libelf or libdw is not on this machine, or is older than what is asked of it. `detail` is the loader's sentence.
  case elfutilsMissing(detail: String)
  /// The file could not be opened; `code` is the system's `errno`.
  case unreadable(path: String, code: Int32)
  /// Not an ELF file, or a damaged one. `detail` is libelf's sentence.
  case notELF(path: String, detail: String)
  /// The file ends before its own section headers do.
  case cutShort(path: String, byteCount: UInt64, expected: UInt64)
  /// The file is another one than the image that was asked for.
  case otherFile(path: String, expected: String, found: String?)
}

extension SymbolError: CustomStringConvertible {
  /// What happened, to what, and what to do next.
  public var description: String {
    switch self {
    case .elfutilsMissing(let detail):
      "symbols need elfutils' libdw (Debian and Ubuntu: apt-get install libdw1; Fedora: dnf install elfutils-libs): \(detail)"
    case .unreadable(let path, let code):
      "cannot read \(path): \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
    case .notELF(let path, let detail):
      "\(path) is no ELF file: \(detail)"
    case .cutShort(let path, let byteCount, let expected):
      "\(path) is cut short: it has \(byteCount) bytes, and its section headers end at byte \(expected); copy or build it again"
    case .otherFile(let path, let expected, let found):
      "\(path) is another file than the one that is loaded: its build-id is \(found ?? "absent"), not \(expected)"
    }
  }
}
