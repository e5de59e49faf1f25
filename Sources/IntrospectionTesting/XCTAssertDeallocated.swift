// Floor 5: assertions in XCTest's manner: objects are freed.

/// Asserts that what the closure makes is freed once the closure has returned; ``expectDeallocated(within:ignoring:fileID:filePath:line:column:_:)``.
@_disfavoredOverload
public func XCTAssertDeallocated(
  within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none, file: StaticString = #filePath,
  line: UInt = #line, _ make: () throws -> AnyObject
) rethrows {
  let lifetime = ObjectLifetime(try make())
  _ = judge(lifetime, limit, ignored, CallSite(xctest: file, line))
}

/// Asserts that everything the closure makes is freed once the closure has returned.
@_disfavoredOverload
public func XCTAssertDeallocated(
  within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none, file: StaticString = #filePath,
  line: UInt = #line, _ make: () throws -> [AnyObject]
) rethrows {
  let lifetime = ObjectLifetime(try make())
  _ = judge(lifetime, limit, ignored, CallSite(xctest: file, line))
}

/// Asserts that what the asynchronous closure makes is freed once the closure has returned.
public nonisolated(nonsending) func XCTAssertDeallocated(
  within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none, file: StaticString = #filePath,
  line: UInt = #line, _ make: nonisolated(nonsending) () async throws -> AnyObject
) async rethrows {
  let lifetime = ObjectLifetime(try await make())
  _ = await judge(lifetime, limit, ignored, CallSite(xctest: file, line))
}

/// Asserts that the tracked objects are freed by now, or very soon.
public func XCTAssertDeallocated(
  _ lifetime: ObjectLifetime, within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none,
  file: StaticString = #filePath, line: UInt = #line
) {
  _ = judge(lifetime, limit, ignored, CallSite(xctest: file, line))
}

/// Asserts that everything the asynchronous closure makes is freed once the closure has returned.
public nonisolated(nonsending) func XCTAssertDeallocated(
  within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none, file: StaticString = #filePath,
  line: UInt = #line, _ make: nonisolated(nonsending) () async throws -> [AnyObject]
) async rethrows {
  let lifetime = ObjectLifetime(try await make())
  _ = await judge(lifetime, limit, ignored, CallSite(xctest: file, line))
}

/// Asserts that the tracked objects are freed by now, or very soon; waits without holding up the thread.
public nonisolated(nonsending) func XCTAssertDeallocated(
  _ lifetime: ObjectLifetime, within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none,
  file: StaticString = #filePath, line: UInt = #line
) async {
  _ = await judge(lifetime, limit, ignored, CallSite(xctest: file, line))
}
