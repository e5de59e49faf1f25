import Foundation

/// Ends an exit test with words: those of `precondition` get lost with the process.
public func check(_ isTrue: Bool, _ message: @autoclosure () -> String) {
  guard !isTrue else { return }
  FileHandle.standardError.write(Data((message() + "\n").utf8))
  exit(1)
}
