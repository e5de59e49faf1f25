#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif
import ProcessMemory
import Symbolication

/// The stacks of all threads of another process.
///
/// ```swift
/// for thread in try ProcessStacks.of(4242).threads { print(thread.name, thread.stack) }
/// ```
public struct ProcessStacks: Hashable, Sendable {
  /// The process.
  public let processID: Int32
  /// The threads, in the order of their ids; the main thread is the first.
  public let threads: [ThreadStack]
  /// Threads that could not be looked at, with the reason. Those that ended meanwhile are not among them.
  public let skipped: [SkippedThread]
  /// What stood in the way of names and lines: one sentence each.
  public let problems: [String]

  /// A thread that could not be looked at.
  public struct SkippedThread: Hashable, Sendable, Encodable {
    /// Its id.
    public let id: Int32
    /// Why: one sentence.
    public let reason: String
  }

  /// Takes the stacks of a process.
  ///
  /// Each thread is stopped by itself, for as long as it takes to copy its registers and the part of its stack that is in use (some
  /// 50 µs); frames and names are found after it has been let go. A thread in an asynchronous function is stopped a second
  /// time, for the callers it has on the heap. Threads so are seen at different moments, ms apart. A system call that a
  /// thread waits in is restarted by the kernel; `epoll_wait` and a few more return EINTR instead, as after any stop (signal(7)).
  ///
  /// - Parameters:
  ///   - processID: the process.
  ///   - threadID: only this thread; all by default.
  /// - Throws: ``CallStackError``.
  public static func of(
    _ processID: Int32, thread threadID: Int32? = nil, limits: StackLimits = StackLimits(),
    options: SymbolicationOptions = SymbolicationOptions()
  ) throws(CallStackError) -> ProcessStacks {
    // On a thread of its own: the kernel lets go of what a thread traces when it ends. So even one that could not be stopped
    // in time is not left waiting for us, however long this process lives.
    let result = DeepStack.run { () -> Result<ProcessStacks, CallStackError> in
      do throws(CallStackError) {
        return .success(try ProcessDump(processID, limits: limits).run(thread: threadID, options: options))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw .failed(processID: processID, what: "making a thread for the dump", code: EAGAIN) }
    return try result.get()
  }
}

extension ProcessStacks: Encodable {
  private enum CodingKeys: String, CodingKey {
    case threads, skipped, problems
    case processID = "pid"
  }
}

/// How much of the stacks of another process is looked at.
public struct StackLimits: Sendable {
  /// Frames of a thread at the most.
  public var frames: Int
  /// Bytes of a thread's stack that are copied while it is stopped, about 0.2 ms a MiB. A deeper stack ends there, and says so.
  public var stackBytes: Int
  /// How long to wait for a thread to stop; one that waits for a device cannot.
  public var stopTimeout: Duration

  /// The limits; by default more than what any thread but one in endless recursion needs.
  public init(frames: Int = 1024, stackBytes: Int = 1 << 20, stopTimeout: Duration = .milliseconds(500)) {
    (self.frames, self.stackBytes, self.stopTimeout) = (frames, stackBytes, stopTimeout)
  }
}
