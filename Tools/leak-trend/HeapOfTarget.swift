// The heap of the target, opened when it is first asked for and again when the target has become another program.

import HeapInspection
import ProcessMemory
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// What reads the target's heap. A launched command is not yet itself when the run begins, and a shell may become the
/// program it starts: what was learned of the one is worth nothing for the other.
final class HeapOfTarget: Sendable {
  private let processID: Int32
  private let state = Mutex(State())

  /// An inspector is no value to be shared; the lock around it is what makes it so.
  private struct State: ~Copyable {
    var inspector: HeapInspector?
    var program: String?
  }

  init(_ processID: Int32) { self.processID = processID }

  /// The live objects by type.
  func census() throws(HeapInspectionError) -> HeapCensus {
    try withInspector { inspector throws(HeapInspectionError) in try inspector.snapshot().census }
  }

  /// The live bytes of the heap.
  @Sendable
  func liveBytes() throws(ProcessMemoryError) -> UInt64 {
    do throws(HeapInspectionError) {
      return try withInspector { inspector throws(HeapInspectionError) in try inspector.liveBytes() }
    } catch {
      if case .process(let error) = error { throw error }
      throw .notAvailable(what: "the live heap of process \(processID)", reason: error.description)
    }
  }

  private func withInspector<Value: Sendable>(
    _ body: (HeapInspector) throws(HeapInspectionError) -> Value
  ) throws(HeapInspectionError) -> Value {
    let program = programNow()
    let result: Result<Value, HeapInspectionError> = state.withLock { state in
      do throws(HeapInspectionError) {
        if state.inspector == nil || state.program != program {
          state.inspector = try HeapInspector(processID)
          state.program = program
        }
        guard let inspector = state.inspector else { throw .process(.processEnded(processID: processID)) }
        return .success(try body(inspector))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The program's file by name and number.
  private func programNow() -> String {
    var information = stat()
    let path = "/proc/\(processID)/exe"
    guard stat(path, &information) == 0 else { return "" }
    return "\(information.st_dev):\(information.st_ino)"
  }
}
