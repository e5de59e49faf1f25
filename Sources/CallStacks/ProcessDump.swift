// One dump of another process: stop, copy, let go; unwind; then names.

import CLinux
import MeasurementText
import ProcessMemory

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The work of one dump. Lives on the thread that traces.
final class ProcessDump {
  private let processID: Int32
  private let limits: StackLimits
  private let memory: ProcessMemoryReader
  private let stackAreas: [Range<UInt64>]
  private let symbols: ProcessSymbols
  private let unwinder: StackUnwinder
  private let isOwnChild: Bool
  private let buffer: UnsafeMutableRawBufferPointer

  /// What was seen of a thread while it was stopped, without names.
  private struct Sample {
    var stack: UnwoundStack
    var asyncFrame: Int?
    var asyncCallers: [UInt64] = []
    var systemCall: Int64
    var stopped: Duration
    /// Something was needed that could have changed once the thread ran on.
    var needsHold: Bool
  }

  init(_ processID: Int32, limits: StackLimits) throws(CallStackError) {
    guard processID != ProcessIdentity.currentProcessID else { throw .ownProcess }
    do throws(ProcessMemoryError) {
      // Says most plainly what is wrong with a pid.
      _ = try MemoryUsage.of(processID)
      let map = try MemoryMap.of(processID)
      memory = try ProcessMemoryReader(processID)
      let images = ImageMap(map, memory: memory)
      symbols = ProcessSymbols(of: processID, images: images, memory: memory)
      stackAreas = map.filter { $0.isReadable && $0.isWritable }.map { $0.startAddress..<$0.endAddress }
    } catch {
      throw Self.explained(error, processID)
    }
    unwinder = try StackUnwinder(images: symbols.images)
    isOwnChild = StatusFields("/proc/\(processID)/status").number("PPid") == UInt64(ProcessIdentity.currentProcessID)
    self.processID = processID
    self.limits = limits
    buffer = .allocate(byteCount: max(4096, min(limits.stackBytes, 1 << 30)), alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// What guards memory guards tracing: the reason is the same, and can be said better here.
  private static func explained(_ error: ProcessMemoryError, _ processID: Int32) -> CallStackError {
    guard case .permissionDenied = error else { return .unreadable(error) }
    return .notPermitted(processID: processID, cause: TraceFacts(of: processID).refusal)
  }

  func run(thread wanted: Int32?, options: SymbolicationOptions) throws(CallStackError) -> ProcessStacks {
    var samples: [(id: Int32, name: String, letter: Character, sample: Sample)] = []
    var skipped: [ProcessStacks.SkippedThread] = []
    var seen: Set<Int32> = []
    // Threads that start while others are looked at are found by looking again; not forever in a process that starts them all
    // the time.
    for _ in 0..<4 {
      let folder = ProcRoot.live.file("task", of: processID)
      let new = numericEntries(of: folder).filter { (wanted ?? $0) == $0 && seen.insert($0).inserted }
      if new.isEmpty { break }
      for id in new {
        guard let line = readSmallFile("\(folder)/\(id)/stat"), let letter = Self.stateLetter(line) else { continue }
        let name = readSmallFile("\(folder)/\(id)/comm") ?? ""
        do throws(TracedThread.Failure) {
          samples.append((id, name, letter, try sample(id)))
        } catch {
          if let reason = try reason(error, of: id, hasOthers: !samples.isEmpty) {
            skipped.append(.init(id: id, reason: reason))
          }
        }
      }
    }
    if samples.isEmpty, skipped.isEmpty {
      throw .unreadable(
        seen.isEmpty && wanted == nil || Self.hasEnded(processID)
          ? .processEnded(processID: processID)
          : .notAvailable(
            what: "thread \(wanted ?? processID)", reason: "process \(processID) has no such thread (any more)"))
    }
    var symbolicator = Symbolicator(options)
    let threads = samples.map { named($0.id, $0.name, $0.letter, $0.sample, &symbolicator) }
    return ProcessStacks(processID: processID, threads: threads, skipped: skipped, problems: symbols.problems)
  }

  private static func hasEnded(_ processID: Int32) -> Bool { (try? MemoryUsage.of(processID)) == nil }

  private static func stateLetter(_ line: String) -> Character? {
    // The name before it may hold anything, parentheses too.
    guard let end = line.lastIndex(of: ")") else { return nil }
    return line[line.index(after: end)...].first { $0 != " " }
  }

  /// Why a thread is left out; `nil` for one that has ended. A refusal concerns the process, and ends the dump.
  private func reason(
    _ failure: TracedThread.Failure, of id: Int32, hasOthers: Bool
  ) throws(CallStackError) -> String? {
    let letter = readSmallFile(ProcRoot.live.file("task/\(id)/stat", of: processID)).flatMap(Self.stateLetter)
    switch failure {
    case .gone: return nil
    case .notStopping:
      let cause = letter == "D" ? ": it waits for a device" : ""
      return "it did not stop within \(DurationText.format(limits.stopTimeout))" + cause
    case .refused(let code):
      // A thread that is ending refuses like one that is protected.
      guard let letter, letter != "Z", letter != "X" else { return nil }
      let error =
        code == EPERM || code == EACCES
        ? CallStackError.notPermitted(processID: processID, cause: TraceFacts(of: processID).refusal)
        : .failed(processID: processID, what: "ptrace", code: code)
      guard hasOthers else { throw error }
      return error.description
    }
  }

  // MARK: - One thread

  private func sample(_ id: Int32) throws(TracedThread.Failure) -> Sample {
    let first = try sample(id, held: false)
    guard first.needsHold else { return first }
    // Everything that unwinding reads of images is known by now, so that this stop is short too.
    var second = try sample(id, held: true)
    second.stopped += first.stopped
    // What the first stop interrupted, the second finds restarted, under that name.
    if second.systemCall == cl_restart_system_call { second.systemCall = first.systemCall }
    return second
  }

  private func sample(_ id: Int32, held: Bool) throws(TracedThread.Failure) -> Sample {
    let start = ContinuousClock.now
    let thread = try TracedThread(id, isOwnChild: isOwnChild && id == processID, timeout: limits.stopTimeout)
    let (registers, systemCall) = (thread.registers, thread.systemCall)
    let area = stackArea(registers.stackPointer)
    let count = memory.read(
      area.lowerBound,
      into: UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<min(buffer.count, Int(clamping: area.upperBound &- area.lowerBound))]))
    let snapshot = StackSnapshot(
      stack: area, bytes: UnsafeRawBufferPointer(rebasing: buffer[..<count]), live: memory, images: symbols.images,
      isHeld: held)
    guard held else {
      _ = consume thread
      let stopped = ContinuousClock.now - start
      let stack = unwinder.unwind(registers, memory: snapshot, limit: limits.frames)
      let isAsync = stack.frames.contains { symbols.isAsync($0.lookedUp) }
      return Sample(
        stack: stack, systemCall: systemCall, stopped: stopped, needsHold: isAsync || snapshot.hasTornReads)
    }
    let stack = unwinder.unwind(registers, memory: snapshot, limit: limits.frames)
    // What symbols it takes were read after the first stop.
    let asyncFrame = stack.frames.firstIndex { symbols.isKnownAsync($0.lookedUp) }
    let chains = asyncFrame.map { self.chains(of: $0, in: stack, snapshot) } ?? []
    _ = consume thread
    let stopped = ContinuousClock.now - start
    return Sample(
      stack: stack, asyncFrame: asyncFrame, asyncCallers: AsyncCallers.callers(chains, symbols), systemCall: systemCall,
      stopped: stopped, needsHold: false)
  }

  private func chains(of index: Int, in stack: UnwoundStack, _ memory: StackSnapshot) -> [[UInt64]] {
    let frame = stack.frames[index]
    return AsyncCallers.chains(
      framePointer: frame.framePointer, contextRegister: frame.contextRegister,
      callerStackPointer: index + 1 < stack.frames.count ? stack.frames[index + 1].stackPointer : nil,
      images: symbols.images, memory: memory, limit: limits.frames)
  }

  /// From the red zone below the stack pointer (128 bytes: System V ABI, 3.2.2) to the end of the mapping.
  private func stackArea(_ pointer: UInt64) -> Range<UInt64> {
    let start = pointer < 128 ? 0 : (pointer &- 128) & ~7
    // The main thread's stack may have grown downwards since the mappings were read: the next one up is meant then.
    var end = start &+ UInt64(buffer.count)
    if let area = stackAreas.first(where: { start < $0.upperBound }),
      area.lowerBound &- start < 1 << 23 || area.contains(start)
    {
      end = area.upperBound
    }
    return start..<max(end, start)
  }

  // MARK: - Names

  private func named(
    _ id: Int32, _ name: String, _ letter: Character, _ sample: Sample, _ symbolicator: inout Symbolicator
  ) -> ThreadStack {
    let addresses = sample.stack.frames.map {
      StackAddress(address: $0.address, isReturnAddress: $0.isReturnAddress, isGuessed: $0.isGuessed)
    }
    let before = symbolicator.framesWithoutTime
    let frames = symbolicator.frames(
      of: StackOrder.ordered(addresses, asyncFrame: sample.asyncFrame, asyncCallers: sample.asyncCallers),
      in: symbols)
    let call = sample.systemCall < 0 ? nil : cl_system_call_name(sample.systemCall).map { String(cString: $0) }
    return ThreadStack(
      id: id, name: name, state: ThreadState(letter: letter, systemCall: call), stopped: sample.stopped,
      stack: SymbolicatedStack(
        frames: frames, end: sample.stack.end, framesWithoutTime: symbolicator.framesWithoutTime - before))
  }
}
