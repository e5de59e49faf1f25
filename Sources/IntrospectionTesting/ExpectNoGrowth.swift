// Floor 5: assertions that memory does not grow.
/// Expects that running the scenario again and again keeps no more memory each time.
///
/// ```swift
/// expectNoGrowth { logIn(); logOut() }
/// try await expectNoGrowth(warmup: 3, repeat: 10) { try await roundTrip() }
/// ```
///
/// The scenario runs `warmup` times unobserved, then `rounds` times with a census of this process's heap after each. It fails where
/// a type gains an instance (or 16 bytes, or an element in its collections) in **every** round, or the heap 16 bytes, and that is still
/// there after pauses, of 1 s in all. A cache that fills and stops, a buffer that doubles now and then, an object that is freed a
/// little later: none of them does. A cache that takes more than `warmup` and `rounds` runs to fill does: warm it up for longer.
/// The failure shows what grew, round by round, and what keeps the objects: a strong cycle, or who holds them.
///
/// While other threads allocate, as parallel tests do, rounds are run a second time before a failure; only types are judged, and
/// not the bytes of the heap; a growth of nothing but strings, closures and other types of the toolchain is a warning, since it may
/// be theirs. Alone in a process (a serialized suite that is run by itself, an exit test) everything is judged.
///
/// A census takes 1 to 2 ms on a small heap, 25 ms on one of 10⁶ objects.
///
/// - Parameters:
///   - warmup: runs that are not observed. 2, since what is made lazily is made in the first, and what keeps the last of something
///     (a previous response, a double buffer) has it from the second on.
///   - rounds: observed runs, at least 2. 5, since growth by chance in each of five is rare, and a person waits for it.
///   - patience: how long to wait for what is released late, once something has grown in every round.
///   - ignored: types that may grow.
///   - scenario: what is to be repeated.
/// - Returns: whether nothing grew; true as well where it could not be checked, which is a warning.
/// - Throws: what the scenario throws.
@_disfavoredOverload @discardableResult
public func expectNoGrowth(
  warmup: Int = 2, repeat rounds: Int = 5, within patience: Duration = .seconds(1),
  ignoring ignored: IgnoredTypes = .standard, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, _ scenario: () throws -> Void
) rethrows -> Bool {
  let plan = GrowthPlan(warmup: warmup, rounds: rounds, patience: patience, ignored: ignored)
  return try plan.run(scenario).report(at: CallSite(fileID, filePath, line, column))
}

/// Expects that running the asynchronous scenario again and again keeps no more memory each time. Runs on the caller's actor;
/// otherwise as the one that is not asynchronous.
@discardableResult
public nonisolated(nonsending) func expectNoGrowth(
  warmup: Int = 2, repeat rounds: Int = 5, within patience: Duration = .seconds(1),
  ignoring ignored: IgnoredTypes = .standard, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column,
  _ scenario: nonisolated(nonsending) () async throws -> Void
) async rethrows -> Bool {
  let plan = GrowthPlan(warmup: warmup, rounds: rounds, patience: patience, ignored: ignored)
  return try await plan.run(scenario).report(at: CallSite(fileID, filePath, line, column))
}
