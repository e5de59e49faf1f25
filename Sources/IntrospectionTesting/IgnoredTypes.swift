// Floor 5: what an assertion does not look at.
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
  /// What is left out.
  public let entries: [IgnoredPattern]

  /// Exactly these.
  public init(_ entries: [IgnoredPattern]) { self.entries = entries }

  /// These patterns, and the ``standard`` ones. Empty patterns, which would match everything, are dropped.
  public init(arrayLiteral patterns: String...) {
    entries = Self.standard.entries + IgnoredPattern.asked(patterns)
  }

  /// Nothing is left out.
  public static let none = IgnoredTypes([])

  /// What every assertion leaves out unless told otherwise: few entries, since a cache that fills and stops does not grow in
  /// every round and needs none.
  public static let standard = IgnoredTypes([
    IgnoredPattern("Testing.*", because: "Swift Testing keeps events and issues of every test that runs meanwhile"),
    IgnoredPattern("*<Testing.*", because: "collections of what Swift Testing keeps"),
    IgnoredPattern("*, Testing.*", because: "collections of what Swift Testing keeps"),
    IgnoredPattern("XCTest.*", because: "XCTest keeps a run, with its failures, for each test case"),
    IgnoredPattern("*NSCache*Entry*", because: "entries of a Foundation.NSCache, which frees them by its own limits"),
    IgnoredPattern("Foundation.RunLoop*", because: "one for each thread that has asked for it, until the thread ends"),
    IgnoredPattern("*IntrospectionTesting.*", because: "what other assertions keep that run meanwhile"),
    IgnoredPattern("*HeapInspection.*", because: "the censuses of other assertions that run meanwhile"),
    IgnoredPattern("a job of Swift's concurrency", because: "queued work of the executors, freed when it has run"),
  ])

  /// Whether the name of a type matches one of the patterns.
  public func matches(_ name: String) -> Bool { entries.contains { $0.matches(name) } }
}
