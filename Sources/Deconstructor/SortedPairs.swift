// Floor 4, walk: the entries of a dictionary in the order for reading.

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
