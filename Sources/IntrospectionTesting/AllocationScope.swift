// Floor 5: whose allocations count.

/// Whose allocations count.
public enum AllocationScope: Sendable {
  /// Those of the thread that runs the test: exact, whatever other tests do meanwhile. What the tested code does on other threads is
  /// not in it.
  case thisThread
  /// Those of all threads; other tests that run meanwhile are among them.
  case process
}
