// Floor 5: what an assertion does not look at, one by one.
import HeapInspection

/// A pattern, and why what matches it is not the tested code's doing.
///
/// A pattern is that of ``HeapInspection/TypePattern``: a part of the name, or the whole of it where there is a `*`; in small letters,
/// capitals do not matter.
public struct IgnoredPattern: Sendable {
  /// The pattern.
  public let pattern: String
  /// Why.
  public let reason: String
  private let compiled: TypePattern

  /// A pattern with its reason.
  public init(_ pattern: String, because reason: String) {
    self.pattern = pattern
    self.reason = reason
    compiled = TypePattern(pattern)
  }

  /// Patterns of a caller's; empty ones, which would match everything, are dropped.
  static func asked(_ patterns: [String]) -> [IgnoredPattern] {
    patterns.filter { !$0.isEmpty }.map { IgnoredPattern($0, because: "asked for") }
  }

  /// Whether a name matches.
  public func matches(_ name: String) -> Bool { compiled.matches(name) }
}
