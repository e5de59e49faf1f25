// The hash table under the counting of objects.

/// Tallies by first word: a hash table with open addressing, in pages of its own.
struct TypeTable: ~Copyable {
  private var slots: PageBuffer<TypeTally>
  private var used = 0
  private var mask: Int

  init() throws(HeapInspectionError) {
    slots = try PageBuffer(capacity: 8192)
    mask = 8191
  }

  /// The slot that holds a word, or the empty one where it belongs. An error's type may be a word of its own beside the
  /// metadata of the same address, so the two are told apart by the lowest bit, which no address of metadata has.
  func slot(of word: UInt64) -> Int {
    // Fibonacci hashing: metadata lies at multiples of 8 and close together.
    var index = Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
    let elements = slots.elements
    while elements[index].word != word, elements[index].form != .none { index = (index &+ 1) & mask }
    return index
  }

  subscript(slot: Int) -> TypeTally {
    get { slots[slot] }
    set { slots[slot] = newValue }
  }

  /// The entries, for counting up in place.
  var tallies: UnsafeMutableBufferPointer<TypeTally> { slots.elements }

  /// Puts a new entry where `slot(of:)` said; returns where it is now.
  mutating func insert(_ tally: TypeTally, at slot: Int) throws(HeapInspectionError) -> Int {
    guard (used + 1) * 2 > slots.elements.count else {
      slots[slot] = tally
      used += 1
      return slot
    }
    let old = slots.elements
    var larger = try PageBuffer<TypeTally>(capacity: old.count * 2)
    swap(&larger, &slots)
    mask = slots.elements.count - 1
    for tally in old where tally.form != .none { slots[self.slot(of: tally.word)] = tally }
    let place = self.slot(of: tally.word)
    slots[place] = tally
    used += 1
    return place
  }
}
