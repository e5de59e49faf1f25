#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif
import ProcessMemory

/// Why a stack could not be had. `description` says what happened, to what, and what to do next.
public enum CallStackError: Error, Hashable, Sendable {
  /// libunwind is not on this machine, or is another than is needed. `detail` is the loader's sentence.
  case libunwindMissing(detail: String)
  /// The kernel does not let this program stop the process.
  case notPermitted(processID: Int32, cause: TraceRefusal)
  /// Something about the process could not be read: it does not exist, has ended, is a thread of the kernel.
  case unreadable(ProcessMemoryError)
  /// A process cannot stop itself: `CallStack.capture()` has the stack of a thread of this process.
  case ownProcess
  /// Any other refusal of the system; `code` is its `errno`.
  case failed(processID: Int32, what: String, code: Int32)
}

extension CallStackError: CustomStringConvertible {
  /// What happened, to what, and what to do next.
  public var description: String {
    switch self {
    case .libunwindMissing(let detail):
      "stacks need libunwind (Debian and Ubuntu: apt-get install libunwind8; Fedora: dnf install libunwind): \(detail)"
    case .notPermitted(let processID, let cause):
      "not permitted to stop process \(processID): \(cause)"
    case .unreadable(let error):
      error.description
    case .ownProcess:
      "a process cannot stop itself: use CallStack.capture(), or run introspect stack from outside"
    case .failed(let processID, let what, let code):
      "\(what) of process \(processID) failed: \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
    }
  }
}
