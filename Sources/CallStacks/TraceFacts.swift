#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif
import ProcessMemory

/// What decides whether tracing is allowed, as the system says it.
package struct TraceFacts {
  package var tracer: Int32 = 0
  package var owner: UInt32?
  package var filesOwner: UInt32?
  package var yamaScope = 0
  /// Of this program.
  package var user: UInt32 = 0
  package var hasCapability = false
  package var isFiltered = false

  package init() {}

  /// The cause that explains a refusal best, the surest first.
  package var refusal: TraceRefusal {
    if tracer > 0 { return .alreadyTraced(by: tracer) }
    if yamaScope >= 3 { return .yama(scope: yamaScope) }
    if hasCapability { return isFiltered ? .seccomp : .securityModule }
    if let owner, owner != user { return .otherUser(owner: owner) }
    // The files of an undumpable process belong to root.
    if let filesOwner, filesOwner != user { return .notDumpable }
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
    // Not the folder: that is the user's whatever the process has made of itself.
    if stat("\(root.path)/\(processID)/stat", &information) == 0 { filesOwner = information.st_uid }
  }
}
