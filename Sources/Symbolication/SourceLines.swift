import CElfutils
import Synchronization

/// Lines and inlined functions of an ELF image, from the DWARF of the file or of its separate debug file.
///
/// Nothing is read before the first question, and of the debug information only the units that are asked about. A deadline
/// bounds the work: reading is stopped at it between two entries, so that one question exceeds it by the decoding of one
/// unit's line table at the most. Any thread may ask; one is answered at a time.
public final class SourceLines: Sendable {
  /// What is known of an address.
  public enum Answer: Sendable, Equatable {
    /// The innermost inlined function first, the function that has the frame last.
    case found([SourceFrame])
    /// The image has no debug information, or none about this address.
    case unknown
    /// The time was up.
    case outOfTime
  }

  private let path: String
  private let buildID: String?
  private enum State {
    case unopened
    case absent
    case opened(DebugUnits)
  }
  private let state = Mutex<State>(.unopened)

  /// The lines of a file; opened when they are asked for. `symbolFile` of a ``SymbolTable`` has the debug information too
  /// where it is a separate file.
  public init(ofFileAt path: String, buildID: String? = nil) { (self.path, self.buildID) = (path, buildID) }

  /// Where an address of the file comes from.
  ///
  /// - Parameters:
  ///   - address: as the file counts them. For a return address: one less, to be in the call.
  ///   - deadline: when to give up.
  public func frames(at address: UInt64, deadline: ContinuousClock.Instant) -> Answer {
    state.withLock { state in
      if case .unopened = state {
        guard ContinuousClock.now < deadline else { return .outOfTime }
        state = DebugUnits(path: path, buildID: buildID).map { .opened($0) } ?? .absent
      }
      guard case .opened(let units) = state else { return .unknown }
      return units.frames(at: address, deadline: deadline)
    }
  }
}
