#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif
import ProcessMemory

/// Another process, all of whose threads stand still for as long as this lives: for a picture of one moment.
///
/// ptrace belongs to the calling thread: made, used and let go on one thread, it is not to be shared. Were this program killed
/// meanwhile, the process would run on.
package final class StoppedProcess {
  private var threads: [HeldThread] = []

  /// A place for a value that cannot be copied in an array.
  private final class HeldThread {
    private let thread: TracedThread

    init(_ thread: consuming TracedThread) { self.thread = thread }
  }

  /// Stops all threads, some 50 µs each. One that waits for a device cannot be stopped, and changes nothing meanwhile.
  ///
  /// - Throws: ``CallStackError``; what was stopped until then runs on.
  package init(_ processID: Int32, timeout: Duration = .milliseconds(500)) throws(CallStackError) {
    guard processID != ProcessIdentity.currentProcessID else { throw .ownProcess }
    let parent = StatusFields(ProcRoot.live.file("status", of: processID)).number("PPid")
    let isOwnChild = parent == UInt64(ProcessIdentity.currentProcessID)
    var seen: Set<Int32> = []
    // A thread may start another until it is stopped itself, so it takes a look that finds no new one.
    while true {
      let new = numericEntries(of: ProcRoot.live.file("task", of: processID)).filter { seen.insert($0).inserted }
      if new.isEmpty { break }
      for id in new {
        do throws(TracedThread.Failure) {
          threads.append(
            HeldThread(try TracedThread(id, isOwnChild: isOwnChild && id == processID, timeout: timeout)))
        } catch {
          if case .refused(let code) = error { try Self.check(code, processID, id) }
        }
      }
    }
    if threads.isEmpty { throw .unreadable(.processEnded(processID: processID)) }
  }

  /// A refusal is one unless the thread is just ending: those refuse too.
  private static func check(_ code: Int32, _ processID: Int32, _ id: Int32) throws(CallStackError) {
    let line = readSmallFile(ProcRoot.live.file("task/\(id)/stat", of: processID)) ?? ""
    guard let end = line.lastIndex(of: ")"), let letter = line[end...].dropFirst(2).first, letter != "Z", letter != "X"
    else { return }
    throw code == EPERM || code == EACCES
      ? .notPermitted(processID: processID, cause: TraceFacts(of: processID).refusal)
      : .failed(processID: processID, what: "ptrace", code: code)
  }
}
