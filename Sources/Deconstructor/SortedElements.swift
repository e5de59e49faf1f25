// Floor 4, walk: copies of elements in the order for reading.

/// Elements that a walk reads from memory of their own, alive as long as this is.
class SortedElements {
  /// The type of the keys, of a dictionary.
  var keyType: Any.Type? { nil }
  /// Where the keys are, in the order of the values.
  var keyBase: UnsafeRawPointer? { nil }
}
