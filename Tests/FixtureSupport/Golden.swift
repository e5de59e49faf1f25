import Foundation

/// Texts that were looked at and found right, kept in `Tests/Fixtures/golden`.
public enum Golden {
  /// Compares a text with the one that is kept.
  ///
  /// With `UPDATE_GOLDEN=1` in the environment the text is kept instead, so that a reviewer sees the change in the diff.
  ///
  /// - Returns: `nil` when they are the same, or a description of the first difference.
  public static func difference(_ text: String, _ name: String) -> String? {
    let path = Fixture.path("golden/" + name)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try? FileManager.default.createDirectory(
        atPath: Fixture.path("golden"), withIntermediateDirectories: true)
      try? text.write(toFile: path, atomically: true, encoding: .utf8)
      return nil
    }
    guard let kept = try? String(contentsOfFile: path, encoding: .utf8) else {
      return "\(name) is missing; UPDATE_GOLDEN=1 swift test makes it"
    }
    guard kept != text else { return nil }
    let keptLines = kept.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for number in 0..<max(keptLines.count, lines.count) {
      let old = number < keptLines.count ? keptLines[number] : "(nothing)"
      let new = number < lines.count ? lines[number] : "(nothing)"
      if old != new { return "\(name), line \(number + 1):\n  kept  \(old)\n  is    \(new)" }
    }
    return nil
  }
}
