// Floor 4, walk: the members of a set in the order for reading.

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
