// Floor 5, traits: tests that make no sense where memory cannot be looked at.
import Testing
import XCTest

/// Skips the test where memory cannot be looked at: throws `XCTSkip` in XCTest, and cancels the test in Swift Testing.
///
/// Without it, assertions that cannot judge say so in a warning and the test goes on.
///
/// - Throws: what the framework takes for a skipped test, with the reason.
public func requireMemoryAssertions(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
  guard let problem = CensusSupport.problem ?? AllocationSupport.problem else { return }
  try Skip.test(problem, at: CallSite(fileID, filePath, line, column))
}

/// Ends a test that cannot be judged.
enum Skip {
  static func test(_ reason: String, at site: CallSite) throws -> Never {
    #if compiler(>=6.3)
      if Finding.isSwiftTesting { try Test.cancel(Comment(rawValue: reason), sourceLocation: site.location) }
    #endif
    throw XCTSkip(reason, file: site.file, line: site.line)
  }
}
