import CLibunwind
import ProcessMemory

/// The calls that led to a place in this process: addresses, from the innermost out. Cheap to capture and to keep (8 bytes a
/// frame); names are found when they are asked for.
///
/// ```swift
/// let stack = try CallStack.capture()
/// print(stack.symbolicated())
/// ```
///
/// Addresses mean something only in the process that they are from: ``located()`` makes a value that can be symbolicated anywhere.
public struct CallStack: Hashable, Sendable, Codable {
  /// Where each frame goes on once its call returns, the innermost frame first.
  public let addresses: [UInt]
  /// Where the functions go on that await the asynchronous function among the frames, the nearest first. Empty outside of tasks.
  public let asyncCallers: [UInt]
  /// The place among ``addresses`` of the asynchronous function; the frames after it are the executor's. `nil` outside of tasks.
  public let asyncFrame: Int?
  /// Whether there are frames further out than were asked for.
  public let isTruncated: Bool

  /// A stack from elsewhere: addresses of this process that a call returns to, the innermost first.
  public init(addresses: [UInt], isTruncated: Bool = false) {
    self.init(addresses: addresses, asyncCallers: [], asyncFrame: nil, isTruncated: isTruncated)
  }

  private init(addresses: [UInt], asyncCallers: [UInt], asyncFrame: Int?, isTruncated: Bool) {
    (self.addresses, self.isTruncated) = (addresses, isTruncated)
    (self.asyncCallers, self.asyncFrame) = (asyncCallers, asyncFrame)
  }

  /// The stack of this thread.
  ///
  /// Right without frame pointers, since libunwind reads unwind tables. Costs about 6 ns a frame and 0.1 µs more; the first call on
  /// a thread about 1 ms. Within a task the functions that await are found as well: some 10 µs, and the first time tens of ms, for
  /// the symbols that tell which functions are asynchronous. Not to be called from a signal handler that may have interrupted
  /// libunwind, the loader or malloc.
  ///
  /// - Parameters:
  ///   - skip: how many of the innermost frames to leave out; with 0 the first is the caller of this function.
  ///   - limit: how many frames to keep at the most.
  /// - Throws: ``CallStackError/libunwindMissing(detail:)``.
  @inline(never)
  public static func capture(skip: Int = 0, limit: Int = 256) throws(CallStackError) -> CallStack {
    if let problem = clu_load_local() { throw .libunwindMissing(detail: String(cString: problem)) }
    let skipped = max(0, min(skip, 1 << 20))
    let kept = max(1, min(limit, 1 << 20))
    let capacity = skipped + kept + 1
    let buffer = UnsafeMutablePointer<UInt>.allocate(capacity: capacity)
    defer { buffer.deallocate() }
    // Without this function's own frame.
    let count = clu_backtrace(buffer, capacity, 1)
    let frames = UnsafeBufferPointer(start: buffer, count: count)
    let addresses = Array(frames.dropFirst(skipped).prefix(kept))
    let isTruncated = count > skipped + kept
    if clu_current_task() != nil, let found = AsyncPart(of: frames, skipped: skipped, limit: kept) {
      return CallStack(
        addresses: addresses, asyncCallers: found.callers, asyncFrame: found.frame, isTruncated: isTruncated)
    }
    return CallStack(addresses: addresses, isTruncated: isTruncated)
  }

  /// What a captured stack knows of the task that it is in.
  private struct AsyncPart {
    var frame: Int
    var callers: [UInt]

    /// `nil` where none of the frames is asynchronous, or it cannot be told.
    init?(of frames: UnsafeBufferPointer<UInt>, skipped: Int, limit: Int) {
      guard let symbols = try? ProcessSymbols.current(), let memory = try? ProcessMemoryReader.current() else {
        return nil
      }
      guard let found = frames.firstIndex(where: { symbols.isAsync(UInt64($0) &- 1) }), found >= skipped,
        found < skipped + limit
      else { return nil }
      let earlier = frames[..<found].count { $0 == frames[found] }
      var registers = clu_frame()
      var callerStackPointer: UInt64 = 0
      frame = found - skipped
      callers = []
      guard clu_find_frame(frames[found], earlier, &registers, &callerStackPointer) == 0 else { return }
      callers = AsyncCallers.callers(
        AsyncCallers.chains(
          framePointer: registers.frame_pointer, contextRegister: registers.context_register,
          callerStackPointer: callerStackPointer, images: symbols.images, memory: memory, limit: limit), symbols
      ).map { UInt($0) }
    }
  }
}
