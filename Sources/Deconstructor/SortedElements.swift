// Floor 4, walk: copies of elements in the order for reading.

/// Elements that a walk reads from memory of their own, alive as long as this is.
class SortedElements {
  /// The type of the keys, of a dictionary.
  var keyType: Any.Type? { nil }
  /// Where the keys are, in the order of the values.
  var keyBase: UnsafeRawPointer? { nil }
}

/// The entries of a dictionary.
final class SortedPairs<Key, Value>: SortedElements {
  let keys: UnsafeMutablePointer<Key>
  let values: UnsafeMutablePointer<Value>
  let count: Int

  init(_ pairs: [(key: Key, value: Value)]) {
    count = pairs.count
    keys = .allocate(capacity: count)
    values = .allocate(capacity: count)
    for (index, pair) in pairs.enumerated() {
      (keys + index).initialize(to: pair.key)
      (values + index).initialize(to: pair.value)
    }
  }

  override var keyType: Any.Type? { Key.self }
  override var keyBase: UnsafeRawPointer? { UnsafeRawPointer(keys) }

  deinit {
    keys.deinitialize(count: count).deallocate()
    values.deinitialize(count: count).deallocate()
  }
}

/// The members of a set.
final class SortedMembers<Member>: SortedElements {
  let members: UnsafeMutablePointer<Member>
  let count: Int

  init(_ found: [Member]) {
    count = found.count
    members = .allocate(capacity: count)
    for (index, member) in found.enumerated() { (members + index).initialize(to: member) }
  }

  deinit { members.deinitialize(count: count).deallocate() }
}
