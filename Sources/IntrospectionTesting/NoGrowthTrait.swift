// Floor 5, traits: a test that is run again and again.
import Testing

/// Runs a test in rounds and looks for growth; see ``Testing/Trait/noGrowth(rounds:warmup:ignoring:)``.
public struct NoGrowthTrait: TestTrait, SuiteTrait, TestScoping {
  /// Observed runs of the test.
  public let rounds: Int
  /// Runs before them.
  public let warmup: Int
  let ignored: IgnoredTypes

  /// On a suite, each of its tests is run so.
  public var isRecursive: Bool { true }

  /// Runs the test in rounds.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let plan = GrowthPlan(warmup: warmup, rounds: rounds, patience: .seconds(1), ignored: ignored)
    _ = try await plan.run { try await function() }.report(at: CallSite(test.sourceLocation))
  }
}

extension Trait where Self == NoGrowthTrait {
  /// The test is run `warmup` and `rounds` times, and keeps no more memory each time. On a suite: each of its tests.
  ///
  /// ```swift
  /// @Test(.noGrowth(rounds: 10)) func roundTrip() async throws { … }
  /// ```
  ///
  /// Otherwise as ``expectNoGrowth(warmup:repeat:ignoring:fileID:filePath:line:column:_:)``.
  public static func noGrowth(
    rounds: Int = 5, warmup: Int = 2, ignoring ignored: IgnoredTypes = .standard
  ) -> Self {
    NoGrowthTrait(rounds: rounds, warmup: warmup, ignored: ignored)
  }
}
