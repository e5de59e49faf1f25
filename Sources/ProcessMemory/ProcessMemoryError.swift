import MeasurementText

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Why something about a process or its memory could not be read.
///
/// `description` is one or two sentences: what happened, to what, and what to do next.
public enum ProcessMemoryError: Error, Hashable, Sendable {
  /// No process has this pid.
  case noSuchProcess(processID: Int32)
  /// The process was there and has ended; a zombie that waits for its parent counts as ended, since its memory is gone.
  case processEnded(processID: Int32)
  /// The pid now names another process than the one that was opened.
  case processReplaced(processID: Int32)
  /// A thread of the kernel, which has no memory of its own.
  case kernelThread(processID: Int32)
  /// The kernel refused; `remedy` says what would grant it.
  case permissionDenied(path: String, remedy: String)
  /// A file that is not in the form its documentation gives. Lines count from 1.
  case malformedFile(path: String, line: Int, problem: String)
  /// Any other failure to read; `code` is the system's `errno`.
  case unreadable(path: String, code: Int32)
  /// This kernel, C library or allocator does not offer it.
  case notAvailable(what: String, reason: String)
  /// Not read, because reading it was expected to take longer than the caller allowed.
  case overBudget(path: String, expected: Duration, budget: Duration)
}

extension ProcessMemoryError: CustomStringConvertible {
  /// What happened, to what, and what to do next.
  public var description: String {
    switch self {
    case .noSuchProcess(let processID):
      "no process has the pid \(processID)"
    case .processEnded(let processID):
      "process \(processID) has ended"
    case .processReplaced(let processID):
      "process \(processID) has ended, and its pid now names another process"
    case .kernelThread(let processID):
      "process \(processID) is a thread of the kernel and has no memory of its own"
    case .permissionDenied(let path, let remedy):
      "not permitted to read \(path): \(remedy)"
    case .malformedFile(let path, let line, let problem):
      "\(path), line \(line): \(problem)"
    case .unreadable(let path, let code):
      "cannot read \(path): \(systemMessage(code))"
    case .notAvailable(let what, let reason):
      "\(what) is not available: \(reason)"
    case .overBudget(let path, let expected, let budget):
      "\(path) was not read: it would take about \(DurationText.format(expected)), more than the \(DurationText.format(budget)) allowed"
    }
  }
}

/// The system's sentence for an `errno`. `strerror_r` in the form that both C libraries share is out of reach, and
/// `strerror` is safe for known codes in every C library this runs on: the text is a constant of the library.
func systemMessage(_ code: Int32) -> String {
  guard let text = strerror(code) else { return "error \(code)" }
  return String(cString: text)
}

extension ProcessMemoryError {
  /// The error for a file of `processID` that could not be opened or read.
  ///
  /// `ENOENT` alone does not say whether the process or only the file is missing, and under `hidepid` a process of
  /// another user looks as if it did not exist: asked of the system where the pids are the system's.
  static func forFile(_ path: String, of processID: Int32, code: Int32, root: ProcRoot) -> ProcessMemoryError {
    switch code {
    case ESRCH:
      return .processEnded(processID: processID)
    case ENOENT where !exists("\(root.path)/\(processID)"):
      guard root.isLive, processID > 0, kill(processID, 0) == 0 || errno == EPERM else {
        return .noSuchProcess(processID: processID)
      }
      return .permissionDenied(
        path: path,
        remedy: "/proc hides the processes of other users here (hidepid); run as the user of process \(processID), "
          + "as root, or with CAP_SYS_PTRACE")
    case EACCES, EPERM:
      return .permissionDenied(path: path, remedy: remedyForProtectedFile(of: processID, root: root))
    default:
      return .unreadable(path: path, code: code)
    }
  }

  /// The files of `/proc/PID` that show addresses are guarded like ptrace (PTRACE_MODE_READ): same user and dumpable, or
  /// the capability.
  private static func remedyForProtectedFile(of processID: Int32, root: ProcRoot) -> String {
    let inContainer = "in a container: --cap-add SYS_PTRACE"
    guard geteuid() != 0 else {
      return "root is not enough here: it lacks CAP_SYS_PTRACE (\(inContainer)), or a security module forbids it"
    }
    let capability =
      "give this program CAP_SYS_PTRACE (as root: setcap cap_sys_ptrace+ep FILE; \(inContainer))"
    guard let owner = owner(of: "\(root.path)/\(processID)"), owner != geteuid() else {
      return "process \(processID) protects its memory, or a security module does; run as root, or \(capability)"
    }
    return "process \(processID) belongs to user id \(owner); run as that user or as root, or \(capability)"
  }

  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func owner(of path: String) -> uid_t? {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_uid : nil
  }
}
