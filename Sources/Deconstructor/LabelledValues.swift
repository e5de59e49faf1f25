// Floor 4, walk: the parts that a type shows of itself.

/// Values with labels, as a mirror or a custom form gives them.
final class LabelledValues {
  let values: UnsafeMutablePointer<Any>
  let labels: [String?]

  init(_ parts: [(label: String?, value: Any)]) {
    labels = parts.map(\.label)
    values = .allocate(capacity: max(1, parts.count))
    for (index, part) in parts.enumerated() { (values + index).initialize(to: part.value) }
  }

  deinit { values.deinitialize(count: labels.count).deallocate() }
}
