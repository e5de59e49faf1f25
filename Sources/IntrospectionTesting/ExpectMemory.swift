// Floor 5: assertions on how much memory something takes.

/// Expects that the closure takes less memory than that: at its peak, or what it leaves behind.
///
/// ```swift
/// expectMemory(below: .mib(24)) { try parse(file) }
/// expectMemory(.retained, below: .kib(64)) { cache.fill() }
/// ```
///
/// Live heap bytes count (malloc_usable_size), which every allocation and free in the program reports while this runs, some 50 ns
/// each: the peak is exact. The failure says which types are left and where the largest allocations came from. Where
/// allocations cannot be counted the closure runs and a warning says so.
///
/// - Parameters:
///   - measure: the peak, or what is left.
///   - limit: what is too much.
///   - scope: all threads, other tests' among them; or this thread, which other tests cannot disturb, but which does not see what the
///     closure does on others.
///   - ignored: types whose bytes, as far as they have grown by the end, do not count; of no effect on the count of one thread.
///   - body: what is measured.
/// - Returns: whether it stayed below; true as well where it could not be measured, which is a warning.
/// - Throws: what the closure throws.
@_disfavoredOverload @discardableResult
public func expectMemory(
  _ measure: MemoryMeasure = .peak, below limit: MemoryAmount, in scope: AllocationScope = .process,
  ignoring ignored: IgnoredTypes = .standard, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, _ body: () throws -> Void
) rethrows -> Bool {
  let rule = MemoryRule(measure: measure, limit: limit, scope: scope, ignored: ignored)
  return try rule.judge(CallSite(fileID, filePath, line, column), body)
}

/// Expects that the asynchronous closure takes less memory than that, in all threads: it may go on in any. Runs on the caller's
/// actor; otherwise as the one that is not asynchronous.
@discardableResult
public nonisolated(nonsending) func expectMemory(
  _ measure: MemoryMeasure = .peak, below limit: MemoryAmount, ignoring ignored: IgnoredTypes = .standard,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> Bool {
  let rule = MemoryRule(measure: measure, limit: limit, scope: .process, ignored: ignored)
  return try await rule.judge(CallSite(fileID, filePath, line, column), body)
}
