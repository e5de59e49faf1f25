// Floor 5: assertions on how often something allocates.

/// Expects that the closure allocates no more often than that.
///
/// ```swift
/// expectAllocations(atMost: 0) { parser.skipBlanks() }
/// expectAllocations(atMost: 12, in: .process) { server.handle(request) }
/// ```
///
/// Calls of malloc, calloc, realloc and aligned allocations count; frees do not. The failure shows the places that allocate, with those that
/// came when the limit was reached. The counter is tried on a known workload before it is believed; where it is not in effect (not
/// glibc, a sanitizer, an allocator of the program's own) the closure runs and a warning says so.
///
/// Debug builds allocate more than release builds: state limits for the one that the tests run in. The stack of each allocation is kept
/// while the closure runs, some 0.3 µs each.
///
/// - Parameters:
///   - limit: how many allocations are allowed.
///   - scope: this thread, which other tests cannot disturb, or all threads.
///   - warmup: runs that are not counted. 1, since the first run of anything fills caches of the runtime and of yours.
///   - ignored: functions whose allocations do not count.
///   - body: what is counted.
/// - Returns: whether it was within the limit; true as well where it could not be counted, which is a warning.
/// - Throws: what the closure throws.
@discardableResult
public func expectAllocations(
  atMost limit: Int, in scope: AllocationScope = .thisThread, warmup: Int = 1,
  ignoring ignored: IgnoredFunctions = .standard, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, _ body: () throws -> Void
) rethrows -> Bool {
  let rule = AllocationRule(limit: limit, isExact: false, scope: scope, warmup: warmup, ignored: ignored)
  return try rule.judge(CallSite(fileID, filePath, line, column), body)
}

/// Expects that the closure allocates exactly so often. Otherwise as ``expectAllocations(atMost:in:warmup:ignoring:fileID:filePath:line:column:_:)``.
@discardableResult
public func expectAllocations(
  exactly count: Int, in scope: AllocationScope = .thisThread, warmup: Int = 1,
  ignoring ignored: IgnoredFunctions = .standard, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, _ body: () throws -> Void
) rethrows -> Bool {
  let rule = AllocationRule(limit: count, isExact: true, scope: scope, warmup: warmup, ignored: ignored)
  return try rule.judge(CallSite(fileID, filePath, line, column), body)
}

/// Expects that the asynchronous closure allocates no more often than that, in all threads: it may go on in any. Runs on the caller's
/// actor; otherwise as the one that is not asynchronous.
@discardableResult
public nonisolated(nonsending) func expectAllocations(
  atMost limit: Int, warmup: Int = 1, ignoring ignored: IgnoredFunctions = .standard, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> Bool {
  let rule = AllocationRule(limit: limit, isExact: false, scope: .process, warmup: warmup, ignored: ignored)
  return try await rule.judge(CallSite(fileID, filePath, line, column), body)
}

/// Expects that the asynchronous closure allocates exactly so often, in all threads. Runs on the caller's actor.
@discardableResult
public nonisolated(nonsending) func expectAllocations(
  exactly count: Int, warmup: Int = 1, ignoring ignored: IgnoredFunctions = .standard, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: nonisolated(nonsending) () async throws -> Void
) async rethrows -> Bool {
  let rule = AllocationRule(limit: count, isExact: true, scope: .process, warmup: warmup, ignored: ignored)
  return try await rule.judge(CallSite(fileID, filePath, line, column), body)
}
