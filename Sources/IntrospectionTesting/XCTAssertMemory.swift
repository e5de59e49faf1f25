// Floor 5: assertions in XCTest's manner: growth, memory, allocations, instances. Where one cannot judge, the test is skipped.

/// Asserts that running the scenario again and again keeps no more memory each time;
/// ``expectNoGrowth(warmup:repeat:ignoring:fileID:filePath:line:column:_:)``.
///
/// - Throws: what the scenario throws; `XCTSkip` where memory cannot be looked at.
@_disfavoredOverload
public func XCTAssertNoGrowth(
  warmup: Int = 2, repeat rounds: Int = 5, within patience: Duration = .seconds(1),
  ignoring ignored: IgnoredTypes = .standard, file: StaticString = #filePath, line: UInt = #line,
  _ scenario: () throws -> Void
) throws {
  let site = CallSite(xctest: file, line)
  let plan = GrowthPlan(warmup: warmup, rounds: rounds, patience: patience, ignored: ignored)
  try report(try plan.run(scenario), at: site)
}

/// Asserts that running the asynchronous scenario again and again keeps no more memory each time.
///
/// - Throws: what the scenario throws; `XCTSkip` where memory cannot be looked at.
public nonisolated(nonsending) func XCTAssertNoGrowth(
  warmup: Int = 2, repeat rounds: Int = 5, within patience: Duration = .seconds(1),
  ignoring ignored: IgnoredTypes = .standard, file: StaticString = #filePath, line: UInt = #line,
  _ scenario: nonisolated(nonsending) () async throws -> Void
) async throws {
  let site = CallSite(xctest: file, line)
  let plan = GrowthPlan(warmup: warmup, rounds: rounds, patience: patience, ignored: ignored)
  try report(try await plan.run(scenario), at: site)
}

/// Asserts that the closure takes less memory than that; ``expectMemory(_:below:in:ignoring:fileID:filePath:line:column:_:)``.
///
/// - Throws: what the closure throws; `XCTSkip` where allocations cannot be counted.
@_disfavoredOverload
public func XCTAssertMemory(
  _ measure: MemoryMeasure = .peak, below limit: MemoryAmount, in scope: AllocationScope = .process,
  ignoring ignored: IgnoredTypes = .standard, file: StaticString = #filePath, line: UInt = #line,
  _ body: () throws -> Void
) throws {
  let site = try counting(at: CallSite(xctest: file, line))
  _ = try MemoryRule(measure: measure, limit: limit, scope: scope, ignored: ignored).judge(site, body)
}

/// Asserts that the asynchronous closure takes less memory than that, in all threads.
///
/// - Throws: what the closure throws; `XCTSkip` where allocations cannot be counted.
public nonisolated(nonsending) func XCTAssertMemory(
  _ measure: MemoryMeasure = .peak, below limit: MemoryAmount, ignoring ignored: IgnoredTypes = .standard,
  file: StaticString = #filePath, line: UInt = #line, _ body: nonisolated(nonsending) () async throws -> Void
) async throws {
  let site = try counting(at: CallSite(xctest: file, line))
  _ = try await MemoryRule(measure: measure, limit: limit, scope: .process, ignored: ignored).judge(site, body)
}

/// Asserts that the closure allocates no more often than that;
/// ``expectAllocations(atMost:in:warmup:ignoring:fileID:filePath:line:column:_:)``.
///
/// - Throws: what the closure throws; `XCTSkip` where allocations cannot be counted.
public func XCTAssertAllocations(
  atMost limit: Int, in scope: AllocationScope = .thisThread, warmup: Int = 1,
  ignoring ignored: IgnoredFunctions = .standard, file: StaticString = #filePath, line: UInt = #line,
  _ body: () throws -> Void
) throws {
  let site = try counting(at: CallSite(xctest: file, line))
  _ = try AllocationRule(limit: limit, isExact: false, scope: scope, warmup: warmup, ignored: ignored).judge(site, body)
}

/// Asserts that the closure allocates exactly so often.
///
/// - Throws: what the closure throws; `XCTSkip` where allocations cannot be counted.
public func XCTAssertAllocations(
  exactly count: Int, in scope: AllocationScope = .thisThread, warmup: Int = 1,
  ignoring ignored: IgnoredFunctions = .standard, file: StaticString = #filePath, line: UInt = #line,
  _ body: () throws -> Void
) throws {
  let site = try counting(at: CallSite(xctest: file, line))
  _ = try AllocationRule(limit: count, isExact: true, scope: scope, warmup: warmup, ignored: ignored).judge(site, body)
}

/// Asserts that the asynchronous closure allocates no more often than that, in all threads.
///
/// - Throws: what the closure throws; `XCTSkip` where allocations cannot be counted.
public nonisolated(nonsending) func XCTAssertAllocations(
  atMost limit: Int, warmup: Int = 1, ignoring ignored: IgnoredFunctions = .standard, file: StaticString = #filePath,
  line: UInt = #line, _ body: nonisolated(nonsending) () async throws -> Void
) async throws {
  let site = try counting(at: CallSite(xctest: file, line))
  let rule = AllocationRule(limit: limit, isExact: false, scope: .process, warmup: warmup, ignored: ignored)
  _ = try await rule.judge(site, body)
}

/// Asserts that the asynchronous closure allocates exactly so often, in all threads.
///
/// - Throws: what the closure throws; `XCTSkip` where allocations cannot be counted.
public nonisolated(nonsending) func XCTAssertAllocations(
  exactly count: Int, warmup: Int = 1, ignoring ignored: IgnoredFunctions = .standard, file: StaticString = #filePath,
  line: UInt = #line, _ body: nonisolated(nonsending) () async throws -> Void
) async throws {
  let site = try counting(at: CallSite(xctest: file, line))
  let rule = AllocationRule(limit: count, isExact: true, scope: .process, warmup: warmup, ignored: ignored)
  _ = try await rule.judge(site, body)
}

/// Asserts that there are so many live objects of a class; ``expectLiveInstances(of:equals:within:ignoring:fileID:filePath:line:column:)``.
///
/// - Throws: `XCTSkip` where the heap cannot be walked.
public func XCTAssertLiveInstances<Object: AnyObject>(
  of type: Object.Type, equals count: Int, within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none,
  file: StaticString = #filePath, line: UInt = #line
) throws {
  let (rule, site) = try instances(of: type, count, ignored, at: CallSite(xctest: file, line))
  _ = rule.report(rule.lookUntilRight(within: limit), at: site)
}

/// Asserts that there are so many live objects of a class; waits without holding up the thread.
///
/// - Throws: `XCTSkip` where the heap cannot be walked.
public nonisolated(nonsending) func XCTAssertLiveInstances<Object: AnyObject>(
  of type: Object.Type, equals count: Int, within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none,
  file: StaticString = #filePath, line: UInt = #line
) async throws {
  let (rule, site) = try instances(of: type, count, ignored, at: CallSite(xctest: file, line))
  _ = rule.report(await rule.lookUntilRight(within: limit), at: site)
}

private func report(_ outcome: GrowthOutcome, at site: CallSite) throws {
  if case .notChecked(let reason) = outcome { try Skip.test(reason, at: site) }
  _ = outcome.report(at: site)
}

/// The place of an assertion that counts, where that can be.
private func counting(at site: CallSite) throws -> CallSite {
  if let problem = AllocationSupport.problem { try Skip.test(problem, at: site) }
  return site
}

/// What is to be looked for, where it can be.
private func instances(
  of type: AnyClass, _ count: Int, _ ignored: IgnoredTypes, at site: CallSite
) throws -> (InstanceRule, CallSite) {
  if let problem = CensusSupport.problem { try Skip.test(problem, at: site) }
  return (InstanceRule(type: type, count: UInt64(clamping: count), ignored: ignored), site)
}
