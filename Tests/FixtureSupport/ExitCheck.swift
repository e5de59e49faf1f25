import Foundation
import Testing

/// Ends an exit test with words, which come out where the test was started: those of `precondition`, and what is written
/// to standard error, get lost with the process.
public func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  guard !isTrue else { return }
  Issue.record(Comment(rawValue: message()))
  exit(1)
}
