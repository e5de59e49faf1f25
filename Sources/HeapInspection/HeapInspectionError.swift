import MeasurementText
import ProcessMemory

/// Why the heap of a process could not be inspected. `description` says what happened, to what, and what to do next.
public enum HeapInspectionError: Error, Hashable, Sendable {
  /// The process could not be read.
  case process(ProcessMemoryError)
  /// The process has no heap of a form that is known here.
  case noKnownHeap(processID: Int32, found: String)
  /// The runtime's records are not in the form that is known here; names and counts would be guesses.
  case unknownRuntime(processID: Int32, problem: String)
  /// This program itself got no more memory from the system.
  case outOfMemory(byteCount: Int)
  /// The process could not be stopped for an exact picture.
  case cannotStop(processID: Int32, reason: String)
}

extension HeapInspectionError: CustomStringConvertible {
  /// What happened, to what, and what to do next.
  public var description: String {
    switch self {
    case .process(let error): error.description
    case .noKnownHeap(let processID, let found):
      "process \(processID) has no heap of glibc's to walk: \(found)"
    case .unknownRuntime(let processID, let problem):
      "the Swift runtime of process \(processID) is not one this tool knows: \(problem); "
        + "counts would be guesses, so there are none"
    case .outOfMemory(let byteCount):
      "no memory for the inspection itself: the system refused \(ByteText.format(UInt64(max(byteCount, 0))))"
    case .cannotStop(let processID, let reason): "no picture of one moment of process \(processID): \(reason)"
    }
  }
}
