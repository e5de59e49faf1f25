// A thread of another process, held still for a moment. Everything that calls ptrace is here.

import CLinux

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A stopped thread. PTRACE_SEIZE and not PTRACE_ATTACH: were this program killed now, the thread would run on.
///
/// ptrace belongs to the calling thread: all calls about one must come from the thread that made it, so it is neither
/// copied nor sent anywhere.
struct TracedThread: ~Copyable {
  enum Failure: Error {
    /// It has ended.
    case gone
    case refused(code: Int32)
    /// It did not stop in time: it waits for a device.
    case notStopping
  }

  let threadID: Int32
  let registers: RegisterSet
  /// The number of the system call it is in, or -1.
  let systemCall: Int64
  private let signal: Int32

  /// Stops a thread: 10 to 60 µs where it can be interrupted at once.
  ///
  /// - Parameter isOwnChild: its end is this process's to hear of through `waitpid`, and not to be swallowed here.
  init(_ threadID: Int32, isOwnChild: Bool, timeout: Duration) throws(Failure) {
    let code = cl_trace_seize(threadID)
    if code == ESRCH { throw .gone }
    guard code == 0 else { throw .refused(code: code) }
    let signal = try Self.stop(threadID, isOwnChild: isOwnChild, timeout: timeout)
    var values = InlineArray<17, UInt64>(repeating: 0)
    var call: Int64 = -1
    let readCode = withUnsafeMutableBytes(of: &values) {
      cl_trace_registers(threadID, $0.assumingMemoryBound(to: UInt64.self).baseAddress, &call)
    }
    guard readCode == 0 else {
      _ = cl_trace_detach(threadID, signal)
      throw readCode == ESRCH ? .gone : .refused(code: readCode)
    }
    (self.threadID, self.signal) = (threadID, signal)
    (registers, systemCall) = (RegisterSet(values), call)
  }

  /// Lets it run on. A signal that arrived just then is handed on.
  deinit { _ = cl_trace_detach(threadID, signal) }

  /// Interrupts a seized thread and waits for the stop; the signal that has to be handed on.
  private static func stop(_ threadID: Int32, isOwnChild: Bool, timeout: Duration) throws(Failure) -> Int32 {
    if cl_trace_interrupt(threadID) == ESRCH { throw .gone }
    let deadline = ContinuousClock.now + timeout
    var signal: Int32 = 0
    var tries = 0
    while true {
      switch cl_trace_poll(threadID, isOwnChild ? 0 : 1, &signal) {
      case cl_trace_stopped: return signal
      case cl_trace_gone: throw .gone
      default: break
      }
      tries += 1
      // The stop arrives within some µs, or when the thread next runs.
      if tries < 200 { sched_yield() } else { usleep(100) }
      if tries % 16 == 0, ContinuousClock.now > deadline {
        // Only a stopped thread can be let go by a call. This one is when the thread that traces ends: ``ProcessStacks``.
        throw .notStopping
      }
    }
  }
}
