// Floor 5: what an assertion does not look at.
import HeapInspection

/// Types that an assertion leaves out, by name or pattern.
///
/// A pattern is that of ``HeapInspection/TypePattern``: a part of the name as a census gives it (`Shop.Session`), or the whole of
/// it where there is a `*`; in small letters, capitals do not matter.
///
/// ```swift
/// expectNoGrowth(ignoring: ["Shop.ConnectionPool", "*Storage<*Session>"]) { … }   // besides the standard ones
/// expectNoGrowth(ignoring: .none) { … }                                           // everything counts
/// ```
public struct IgnoredTypes: Sendable, ExpressibleByArrayLiteral {
  /// A pattern, and why what matches it is not the tested code's doing.
  public struct Entry: Sendable {
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

    func matches(_ name: String) -> Bool { compiled.matches(name) }
  }

  /// What is left out.
  public let entries: [Entry]

  /// Exactly these.
  public init(_ entries: [Entry]) { self.entries = entries }

  /// These patterns, and the ``standard`` ones. Empty patterns, which would match everything, are dropped.
  public init(arrayLiteral patterns: String...) {
    entries = Self.standard.entries + patterns.filter { !$0.isEmpty }.map { Entry($0, because: "asked for") }
  }

  /// Nothing is left out.
  public static let none = IgnoredTypes([])

  /// What every assertion leaves out unless told otherwise: few entries, since a cache that fills and stops does not grow in
  /// every round and needs none.
  public static let standard = IgnoredTypes([
    Entry("Testing.*", because: "Swift Testing keeps events and issues of every test that runs meanwhile"),
    Entry("XCTest.*", because: "XCTest keeps a run, with its failures, for each test case"),
    Entry("*NSCache*Entry*", because: "entries of a Foundation.NSCache, which frees them by its own limits"),
    Entry("Foundation._NSThread*", because: "the thread objects that Foundation keeps for threads it has met, until they end"),
    Entry("Foundation.RunLoop*", because: "one for each thread that has asked for its run loop, kept until the thread ends"),
    Entry("a job of Swift's concurrency", because: "queued work of the executors; it is freed when it has run"),
  ])

  /// Whether the name of a type matches one of the patterns.
  public func matches(_ name: String) -> Bool { entries.contains { $0.matches(name) } }
}
