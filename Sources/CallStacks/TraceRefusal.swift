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
