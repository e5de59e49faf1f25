// Floor 5: what of memory is limited.

/// What of the memory that a test takes is limited: live heap bytes, that is, blocks handed out by malloc and not freed. Never the
/// resident size, which does not fall when objects are freed and counts what others have touched.
public enum MemoryMeasure: Sendable {
  /// The most that is live at any moment, beyond what was at the start.
  case peak
  /// What is still live at the end, and up to 1 s later, beyond what was at the start.
  case retained
}
