// Floor 5: where an assertion was called.
import Testing

/// The caller's line, as both frameworks want it.
struct CallSite: Sendable {
  /// For Swift Testing.
  let location: SourceLocation
  /// For XCTest, which takes nothing but literals; empty for traits, which XCTest does not have.
  let file: StaticString
  let line: UInt

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    // Swift Testing ends the program over a place that cannot be.
    let name = "\(fileID)"
    location = SourceLocation(
      fileID: name.contains("/") ? name : "Tests/" + name, filePath: "\(filePath)", line: max(1, Int(clamping: line)),
      column: max(1, Int(clamping: column)))
    (file, self.line) = (filePath, line)
  }

  /// Of an assertion in XCTest's manner, which knows no columns.
  init(xctest file: StaticString, _ line: UInt) { self.init(file, file, line, 1) }

  init(_ location: SourceLocation) {
    self.location = location
    (file, line) = ("", UInt(clamping: location.line))
  }
}
