// Floor 5: whether the heap of this program can be looked at.
import HeapInspection
import ProcessMemory

/// Looks at this process's heap.
enum CensusSupport {
  /// Why there can be no census here; `nil` where there can. Asked once.
  static let problem: String? = {
    #if os(Linux)
      do throws(HeapInspectionError) {
        _ = try inspector().liveClasses()
        return nil
      } catch {
        return "the heap cannot be inspected: \(error.description)"
      }
    #else
      return "the heap can be inspected on Linux with glibc only"
    #endif
  }()

  static func inspector() throws(HeapInspectionError) -> HeapInspector {
    try HeapInspector(ProcessIdentity.currentProcessID)
  }
}
