// Floor 5: what an assertion has to say.
import Testing
import XCTest

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// What an assertion has found, and how it is told to the framework that runs.
package struct Finding: Sendable {
  /// How bad it is.
  package enum Severity: Sendable {
    /// The test fails.
    case failure
    /// The assertion could not judge: visible, and the test goes on. A test never passes in silence for what was not checked.
    case warning
  }

  package let severity: Severity
  /// What is written, without an indentation of its own.
  package let message: String

  /// Takes the findings of this task instead of the framework: for tests of this module.
  @TaskLocal package static var collector: FindingCollector?

  static func failure(_ message: String, at site: CallSite) {
    Finding(severity: .failure, message: message).record(at: site)
  }

  static func warning(_ message: String, at site: CallSite) {
    Finding(severity: .warning, message: message).record(at: site)
  }

  private func record(at site: CallSite) {
    if let collector = Self.collector { return collector.add(self) }
    switch (Self.isSwiftTesting, severity) {
    case (true, .failure): Issue.record(Comment(rawValue: message), sourceLocation: site.location)
    case (true, .warning): Self.recordWarning(Comment(rawValue: message), site.location)
    case (false, .failure): XCTFail(message, file: site.file, line: site.line)
    case (false, .warning):
      // XCTest on Linux knows no warnings.
      let line = Array("\(site.file):\(site.line): warning: \(message)\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
    }
  }

  private static func recordWarning(_ comment: Comment, _ location: SourceLocation) {
    #if compiler(>=6.3)
      Issue.record(comment, severity: .warning, sourceLocation: location)
    #else
      // The nearest that is shown and fails nothing.
      withKnownIssue(comment, sourceLocation: location) { Issue.record(comment, sourceLocation: location) }
    #endif
  }

  /// Which framework runs. `swift test` runs each in a process of its own and says so; a test that started a detached task
  /// has no current test there.
  static var isSwiftTesting: Bool { Test.current != nil || isLaunchedForSwiftTesting }

  private static let isLaunchedForSwiftTesting: Bool = {
    let arguments = CommandLine.arguments
    guard let option = arguments.firstIndex(of: "--testing-library") else { return false }
    return arguments.dropFirst(option + 1).first == "swift-testing"
  }()
}
