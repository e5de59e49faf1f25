/// The mangled names of all types of a file, to tell a type's members from those of the types within it.
struct NestedPrefixes {
  private let sorted: [[UInt8]]

  init(_ subjects: [InterfaceSubject]) {
    sorted = subjects.compactMap(\.prefix).sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Those that begin with another one, the outermost only, in order.
  func inside(_ prefix: [UInt8]) -> [[UInt8]] {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].lexicographicallyPrecedes(prefix) { low = middle + 1 } else { high = middle }
    }
    var found: [[UInt8]] = []
    while low < sorted.count, sorted[low].starts(with: prefix) {
      let candidate = sorted[low]
      if candidate.count > prefix.count, found.last.map({ !candidate.starts(with: $0) }) ?? true {
        found.append(candidate)
      }
      low += 1
    }
    return found
  }
}
