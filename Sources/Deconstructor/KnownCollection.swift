// Floor 4, walk: the collections of the standard library, read without making a mirror of them.
import SwiftMetadata

/// A collection whose elements can be reached through its own interface, given the address of a value of it.
///
/// Found by a cast of the type, once for each type and walk.
protocol KnownCollection: SendableMetatype {
  static var handling: Form.Handling { get }
  /// The type of elements, values or members.
  static var elementType: Any.Type { get }
  /// The elements of the collection at `address`, `limit` at the most.
  static func elements(at address: UnsafeRawPointer, limit: Int) -> KnownElements
}

/// Elements as a walk reads them.
struct KnownElements {
  /// How many the collection has.
  var count: Int
  /// The first one that can be read.
  var base: UnsafeRawPointer?
  /// How many can be read, one stride apart.
  var readableCount: Int
  /// The index that the first one has in the collection.
  var firstIndex = 0
  /// What owns the elements: keeps them alive, and says whether two collections are one.
  var storage: UnsafeRawPointer?
  /// A copy of what is read, in the order for reading.
  var sorted: SortedElements?
}

extension KnownElements {
  /// Elements that lie in the collection's own storage. Its address is the first word of the collection.
  fileprivate init(
    _ base: UnsafeRawPointer?, count: Int, firstIndex: Int, at address: UnsafeRawPointer, limit: Int
  ) {
    self.init(
      count: count, base: base, readableCount: min(count, limit), firstIndex: firstIndex,
      storage: count == 0 ? nil : address.load(as: UnsafeRawPointer?.self), sorted: nil)
  }
}

extension Array: KnownCollection {
  static var handling: Form.Handling { .list }
  static var elementType: Any.Type { Element.self }

  static func elements(at address: UnsafeRawPointer, limit: Int) -> KnownElements {
    address.assumingMemoryBound(to: Self.self).pointee.withUnsafeBufferPointer {
      KnownElements(
        $0.baseAddress.map(UnsafeRawPointer.init), count: $0.count, firstIndex: 0, at: address, limit: limit)
    }
  }
}

extension ContiguousArray: KnownCollection {
  static var handling: Form.Handling { .list }
  static var elementType: Any.Type { Element.self }

  static func elements(at address: UnsafeRawPointer, limit: Int) -> KnownElements {
    address.assumingMemoryBound(to: Self.self).pointee.withUnsafeBufferPointer {
      KnownElements(
        $0.baseAddress.map(UnsafeRawPointer.init), count: $0.count, firstIndex: 0, at: address, limit: limit)
    }
  }
}

extension ArraySlice: KnownCollection {
  static var handling: Form.Handling { .list }
  static var elementType: Any.Type { Element.self }

  static func elements(at address: UnsafeRawPointer, limit: Int) -> KnownElements {
    let slice = address.assumingMemoryBound(to: Self.self).pointee
    return slice.withUnsafeBufferPointer {
      KnownElements(
        $0.baseAddress.map(UnsafeRawPointer.init), count: $0.count, firstIndex: slice.startIndex, at: address,
        limit: limit)
    }
  }
}

extension Dictionary: KnownCollection {
  static var handling: Form.Handling { .dictionary }
  static var elementType: Any.Type { Value.self }

  static func elements(at address: UnsafeRawPointer, limit: Int) -> KnownElements {
    let dictionary = address.assumingMemoryBound(to: Self.self).pointee
    guard !dictionary.isEmpty else {
      return KnownElements(count: 0, base: nil, readableCount: 0, storage: nil, sorted: nil)
    }
    let order = NaturalOrder.smallest(limit, of: dictionary.keys)
    let sorted = SortedPairs(order.map { dictionary[$0] })
    return KnownElements(
      count: dictionary.count, base: UnsafeRawPointer(sorted.values), readableCount: sorted.count,
      storage: address.load(as: UnsafeRawPointer?.self), sorted: sorted)
  }
}

extension Set: KnownCollection {
  static var handling: Form.Handling { .set }
  static var elementType: Any.Type { Element.self }

  static func elements(at address: UnsafeRawPointer, limit: Int) -> KnownElements {
    KnownElements(members: address.assumingMemoryBound(to: Self.self).pointee, at: address, limit: limit)
  }
}

extension Dictionary.Keys: KnownCollection {
  static var handling: Form.Handling { .set }
  static var elementType: Any.Type { Element.self }

  static func elements(at address: UnsafeRawPointer, limit: Int) -> KnownElements {
    KnownElements(members: address.assumingMemoryBound(to: Self.self).pointee, at: address, limit: limit)
  }
}

extension Dictionary.Values: KnownCollection {
  static var handling: Form.Handling { .set }
  static var elementType: Any.Type { Element.self }

  static func elements(at address: UnsafeRawPointer, limit: Int) -> KnownElements {
    KnownElements(members: address.assumingMemoryBound(to: Self.self).pointee, at: address, limit: limit)
  }
}

extension KnownElements {
  /// Copies of members in the order for reading.
  fileprivate init<Members: Collection>(members: Members, at address: UnsafeRawPointer, limit: Int) {
    guard !members.isEmpty else {
      self.init(count: 0, base: nil, readableCount: 0, storage: nil, sorted: nil)
      return
    }
    let sorted = SortedMembers(NaturalOrder.smallest(limit, of: members).map { members[$0] })
    self.init(
      count: members.count, base: UnsafeRawPointer(sorted.members), readableCount: sorted.count,
      storage: address.load(as: UnsafeRawPointer?.self), sorted: sorted)
  }
}
