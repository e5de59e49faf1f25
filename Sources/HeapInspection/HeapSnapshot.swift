import ProcessMemory

/// The heap of a process at one moment, as far as it has been looked at: its ``census``.
///
/// ```swift
/// let census = try HeapSnapshot.take(of: .process(4242)).census
/// for type in census.types.prefix(10) { print(type.instances, type.bytes, type.type) }
/// ```
public struct HeapSnapshot: Sendable {
  /// What objects there are, by type.
  public let census: HeapCensus

  /// What is inspected.
  public enum Target: Hashable, Sendable {
    /// The process that asks. Its other threads run on, and what the inspection itself holds is left out.
    case current
    /// Another process, by its pid.
    case process(Int32)

    var processID: Int32 {
      switch self {
      case .current: ProcessIdentity.currentProcessID
      case .process(let number): number
      }
    }
  }

  /// Walks the heap of a process once. Some tenths of a second for a million objects; ``HeapInspector`` does so again and
  /// again for less.
  ///
  /// - Parameter stopping: the process stands still meanwhile, for an exact picture. Not possible for this process.
  /// - Throws: ``HeapInspectionError``.
  public static func take(of target: Target, stopping: Bool = false) throws(HeapInspectionError) -> HeapSnapshot {
    try HeapInspector(target.processID).snapshot(stopping: stopping)
  }
}
