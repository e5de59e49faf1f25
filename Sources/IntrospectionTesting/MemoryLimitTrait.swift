// Floor 5, traits: a limit on what a test takes.
import Testing

/// Limits the live heap memory that a test takes at its peak; see ``Testing/Trait/memoryLimit(_:ignoring:)``.
public struct MemoryLimitTrait: TestTrait, SuiteTrait, TestScoping {
  /// What is too much.
  public let limit: MemoryAmount
  let ignored: IgnoredTypes

  /// On a suite, each of its tests is limited.
  public var isRecursive: Bool { true }

  /// Runs the test, and measures it.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let rule = MemoryRule(measure: .peak, limit: limit, scope: .process, ignored: ignored)
    _ = try await rule.judge(CallSite(test.sourceLocation)) { try await function() }
  }
}

extension Trait where Self == MemoryLimitTrait {
  /// The test's live heap memory stays below this amount, beyond what was there when it began. On a suite: that of each of its tests.
  ///
  /// ```swift
  /// @Test(.memoryLimit(.mib(24))) func parsing() throws { … }
  /// ```
  ///
  /// Counts all threads, since a test may go on in any: memory of tests that run at the same time is part of it. A suite that is
  /// `.serialized` keeps its own tests apart. Otherwise as ``expectMemory(_:below:ignoring:fileID:filePath:line:column:_:)``.
  public static func memoryLimit(_ limit: MemoryAmount, ignoring ignored: IgnoredTypes = .standard) -> Self {
    MemoryLimitTrait(limit: limit, ignored: ignored)
  }
}
