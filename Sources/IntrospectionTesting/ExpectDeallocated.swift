// Floor 5: assertions that objects are freed.
import MeasurementText

/// Expects that what the closure makes is freed once the closure has returned.
///
/// ```swift
/// expectDeallocated { Session() }
/// expectDeallocated { let session = Session(); session.start(); return session }
/// ```
///
/// A `deinit` may run on another thread a little later: the object is looked for again after pauses of 1, 2, 4 … 64 ms, until the
/// time is up. An object that is freed at once costs a few µs. The failure names the type, how many references there are, and
/// the strong cycle that the object is part of, or else, with glibc's malloc, who holds it: from a variable over fields and collections,
/// which is searched for in all memory for at most 5 s. Works in parallel tests, and with any allocator.
///
/// - Parameters:
///   - limit: how long to wait; 1 s, since a `deinit` that is later by more is waited for by nobody.
///   - ignored: types whose objects may live on.
///   - make: makes the object, and does with it what is to be tested.
/// - Returns: whether it was freed.
/// - Throws: what the closure throws.
@_disfavoredOverload @discardableResult
public func expectDeallocated(
  within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ make: () throws -> AnyObject
) rethrows -> Bool {
  let lifetime = ObjectLifetime(try make())
  return judge(lifetime, limit, ignored, CallSite(fileID, filePath, line, column))
}

/// Expects that everything the closure makes is freed once the closure has returned. As the one for a single object.
@_disfavoredOverload @discardableResult
public func expectDeallocated(
  within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ make: () throws -> [AnyObject]
) rethrows -> Bool {
  let lifetime = ObjectLifetime(try make())
  return judge(lifetime, limit, ignored, CallSite(fileID, filePath, line, column))
}

/// Expects that what the asynchronous closure makes is freed once the closure has returned. Runs on the caller's actor.
@discardableResult
public nonisolated(nonsending) func expectDeallocated(
  within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ make: nonisolated(nonsending) () async throws -> AnyObject
) async rethrows -> Bool {
  let lifetime = ObjectLifetime(try await make())
  return await judge(lifetime, limit, ignored, CallSite(fileID, filePath, line, column))
}

/// Expects that everything the asynchronous closure makes is freed once the closure has returned. Runs on the caller's actor.
@discardableResult
public nonisolated(nonsending) func expectDeallocated(
  within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ make: nonisolated(nonsending) () async throws -> [AnyObject]
) async rethrows -> Bool {
  let lifetime = ObjectLifetime(try await make())
  return await judge(lifetime, limit, ignored, CallSite(fileID, filePath, line, column))
}

/// Expects that the tracked objects are freed by now, or very soon.
@discardableResult
public func expectDeallocated(
  _ lifetime: ObjectLifetime, within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) -> Bool {
  judge(lifetime, limit, ignored, CallSite(fileID, filePath, line, column))
}

/// Expects that the tracked objects are freed by now, or very soon; waits without holding up the thread.
@discardableResult
public nonisolated(nonsending) func expectDeallocated(
  _ lifetime: ObjectLifetime, within limit: Duration = .seconds(1), ignoring ignored: IgnoredTypes = .none,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async -> Bool {
  await judge(lifetime, limit, ignored, CallSite(fileID, filePath, line, column))
}

func judge(_ lifetime: ObjectLifetime, _ limit: Duration, _ ignored: IgnoredTypes, _ site: CallSite) -> Bool {
  guard lifetime.hasSurvivors(ignored) else { return true }
  var backoff = Backoff(upTo: limit)
  while let pause = backoff.pause() {
    ThreadSleep.sleep(pause)
    if !lifetime.hasSurvivors(ignored) { return true }
  }
  return report(lifetime, limit, ignored, site)
}

nonisolated(nonsending) func judge(
  _ lifetime: ObjectLifetime, _ limit: Duration, _ ignored: IgnoredTypes, _ site: CallSite
) async -> Bool {
  guard lifetime.hasSurvivors(ignored) else { return true }
  var backoff = Backoff(upTo: limit)
  while let pause = backoff.pause() {
    await pause.pass()
    if !lifetime.hasSurvivors(ignored) { return true }
  }
  return report(lifetime, limit, ignored, site)
}

private func report(
  _ lifetime: ObjectLifetime, _ limit: Duration, _ ignored: IgnoredTypes, _ site: CallSite
) -> Bool {
  let survivors = lifetime.survivors(ignored, looksForHolders: true)
  // Freed at the last moment.
  guard !survivors.isEmpty else { return true }
  Finding.failure(LifetimeText.message(survivors, after: limit), at: site)
  return false
}
