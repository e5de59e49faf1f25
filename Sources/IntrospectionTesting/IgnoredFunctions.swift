// Floor 5: whose allocations an assertion does not count.

/// Functions whose allocations are left out, by name or pattern: an allocation is, where one of them is in its stack.
///
/// ```swift
/// expectAllocations(atMost: 2, ignoring: ["Logger.write"]) { … }   // besides the standard ones
/// ```
public struct IgnoredFunctions: Sendable, ExpressibleByArrayLiteral {
  /// What is left out.
  public let entries: [IgnoredPattern]

  /// Exactly these.
  public init(_ entries: [IgnoredPattern]) { self.entries = entries }

  /// These patterns, and the ``standard`` ones. Empty patterns, which would match everything, are dropped.
  public init(arrayLiteral patterns: String...) {
    entries = Self.standard.entries + IgnoredPattern.asked(patterns)
  }

  /// Every allocation counts.
  public static let none = IgnoredFunctions([])

  /// What is left out unless told otherwise: caches that the runtime fills once for each type, when the type first comes by.
  public static let standard = IgnoredFunctions([
    IgnoredPattern("swift_getGenericMetadata*", because: "metadata of a generic type, made once for its arguments"),
    IgnoredPattern("*swift_instantiate*GenericMetadata*", because: "the same, for types that the compiler foresaw"),
    IgnoredPattern("swift_getWitnessTable*", because: "a generic conformance, made once for each set of arguments"),
    IgnoredPattern("swift_getTypeByMangledName*", because: "types that are found by name are kept for the next time"),
    IgnoredPattern("swift_conformsToProtocol*", because: "conformances that were looked up are kept for the next time"),
    IgnoredPattern("swift_getAssociatedTypeWitness*", because: "looked up once for each conformance"),
    IgnoredPattern("_dl_*", because: "the loader opens a library or binds a symbol, once"),
  ])

  func matches(_ name: String) -> Bool { entries.contains { $0.matches(name) } }
}
