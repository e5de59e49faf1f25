/// How sure it is that a reference keeps its object alive.
package enum ReferenceStrength: Sendable {
  case holding
  /// It may be left from something else, or be a number, or nobody's to release.
  case uncertain
  case notHolding
}

/// A word in memory that leads to an object, and what it is part of.
package struct HeapReferrer: Sendable {
  /// What holds the word.
  package enum Holder: Sendable {
    /// An object, and the metadata it begins with.
    case object(LiveType.Kind, metadata: UInt64)
    /// The storage of a collection.
    case storage(Values)
    /// A live block that is no object.
    case memory(byteCount: UInt64)
    /// A variable of a program or library.
    case variable
  }

  /// Which values of a collection's storage the word is a part of.
  package struct Values: Sendable {
    package let metadata: UInt64
    /// The metadata of their type.
    package let element: UInt64
    /// From the beginning of the storage to the first of them, in bytes.
    package let offset: Int
  }

  /// Where the word is.
  package let place: HeapAddress
  /// Where what it is part of begins: an object, a block; of a variable the word itself.
  package let start: HeapAddress
  package let holder: Holder
  /// The object that it leads to.
  package let target: HeapAddress

  /// From the beginning of the holder to the word, in bytes.
  package var offset: Int { Int(truncatingIfNeeded: place.value &- start.value) }
}
