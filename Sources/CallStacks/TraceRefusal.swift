#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif
import ProcessMemory

/// Why the kernel lets one process not trace another (ptrace(2), "Ptrace access mode checking"; Yama.rst of the kernel).
public enum TraceRefusal: Hashable, Sendable {
  /// Another tracer has it: a thread has only one.
  case alreadyTraced(by: Int32)
  /// It belongs to another user, and this program lacks CAP_SYS_PTRACE.
  case otherUser(owner: UInt32)
  /// It has made itself undumpable, or runs with more rights than its user.
  case notDumpable
  /// Yama restricts tracing: 1 to descendants, 2 to CAP_SYS_PTRACE, 3 altogether.
  case yama(scope: Int)
  /// A seccomp filter on this program forbids ptrace, as container runtimes set it up.
  case seccomp
  /// All of the above let it pass: a security module, or a user namespace in which the capability does not hold.
  case securityModule
}

extension TraceRefusal: CustomStringConvertible {
  /// The cause, and what would help.
  public var description: String {
    let capability = "or with CAP_SYS_PTRACE (in a container: --cap-add SYS_PTRACE)"
    return switch self {
    case .alreadyTraced(let tracer):
      "process \(tracer) traces it already (a debugger, strace, another introspect); end that first"
    case .otherUser(let owner):
      "it belongs to user id \(owner); run as that user, as root, \(capability)"
    case .notDumpable:
      "it has made itself undumpable (PR_SET_DUMPABLE, or a program with the set-user-ID bit); run as root, \(capability)"
    case .yama(scope: 1):
      "Yama lets only ancestors trace here (ptrace_scope 1); run as root, \(capability), or as root:"
        + " echo 0 > /proc/sys/kernel/yama/ptrace_scope"
    case .yama(scope: 2):
      "Yama lets only administrators trace here (ptrace_scope 2); run as root, \(capability)"
    case .yama(let scope):
      "Yama lets no one trace here (ptrace_scope \(scope)), until the machine is restarted with another setting"
    case .seccomp:
      "a seccomp filter forbids ptrace; in a container: --cap-add SYS_PTRACE, or --security-opt seccomp=unconfined"
    case .securityModule:
      "a security module forbids it, or the capability does not reach into its user namespace; run outside the container"
    }
  }
}

/// What decides whether tracing is allowed, as the system says it.
struct TraceFacts {
  var tracer: Int32 = 0
  var owner: UInt32?
  var folderOwner: UInt32?
  var yamaScope = 0
  /// Of this program.
  var user: UInt32 = 0
  var hasCapability = false
  var isFiltered = false

  /// The cause that explains a refusal best, the surest first.
  var refusal: TraceRefusal {
    if tracer > 0 { return .alreadyTraced(by: tracer) }
    if yamaScope >= 3 { return .yama(scope: yamaScope) }
    if hasCapability { return isFiltered ? .seccomp : .securityModule }
    if let owner, owner != user { return .otherUser(owner: owner) }
    // The files of an undumpable process belong to root.
    if let folderOwner, folderOwner != user { return .notDumpable }
    if yamaScope > 0 { return .yama(scope: yamaScope) }
    return isFiltered ? .seccomp : .securityModule
  }
}

extension TraceFacts {
  private static let capabilityOfTracing: UInt64 = 1 << 19  // CAP_SYS_PTRACE

  /// What the system says now.
  init(of processID: Int32, root: ProcRoot = .live) {
    let target = StatusFields("\(root.path)/\(processID)/status")
    let own = StatusFields("\(root.path)/self/status")
    tracer = Int32(clamping: target.number("TracerPid") ?? 0)
    owner = target.number("Uid").flatMap(UInt32.init(exactly:))
    user = geteuid()
    yamaScope = readSmallFile("\(root.path)/sys/kernel/yama/ptrace_scope").flatMap { Int($0) } ?? 0
    hasCapability = (own.hexadecimal("CapEff") ?? 0) & Self.capabilityOfTracing != 0
    isFiltered = own.number("Seccomp") == 2
    var information = stat()
    if stat("\(root.path)/\(processID)", &information) == 0 { folderOwner = information.st_uid }
  }
}

/// Lines of a `status` file by their names.
struct StatusFields {
  private let lines: [Substring]

  init(_ path: String) { lines = (readSmallFile(path) ?? "").split(separator: "\n") }

  /// The first number of a line.
  func number(_ name: String) -> UInt64? { first(name).flatMap { UInt64($0) } }

  func hexadecimal(_ name: String) -> UInt64? { first(name).flatMap { UInt64($0, radix: 16) } }

  private func first(_ name: String) -> Substring? {
    lines.first { $0.hasPrefix(name + ":") }?.dropFirst(name.utf8.count + 1)
      .split(whereSeparator: { $0 == "\t" || $0 == " " }).first
  }
}
