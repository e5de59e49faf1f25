import ProcessMemory
import SwiftMetadata

/// Counts objects under their types, by the words they begin with. Allocates nothing on the heap.
struct ObjectCounter: ~Copyable {
  /// What is looked at of an object.
  typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64)

  private let classifier: BlockClassifier
  private var table: TypeTable

  static func prepare(_ memory: any MemoryReader) throws(HeapInspectionError) -> ObjectCounter {
    let table = try TypeTable()
    return ObjectCounter(BlockClassifier(memory: memory), table)
  }

  private init(_ classifier: BlockClassifier, _ table: consuming TypeTable) {
    self.classifier = classifier
    self.table = table
  }

  /// Blocks with the counts of a new object, whose first word leads into a program or library and yet to no type: in a
  /// runtime that lays out its types in another way, all objects would be such.
  private(set) var unknownObjects = 0

  /// What was counted.
  var tallies: UnsafeMutableBufferPointer<TypeTally> { table.tallies }

  /// Counts a block of `bytes` usable bytes under its type; false where it is no object.
  @inline(__always)
  mutating func count(
    _ word: UInt64, _ words: Words, at address: UInt64, bytes: UInt64, _ regions: borrowing HeapRegions
  ) throws(HeapInspectionError) -> Bool {
    guard let slot = try slot(word, words, bytes: bytes, regions) else { return false }
    Self.add(words, at: address, bytes: bytes, to: &table.tallies[slot])
    return true
  }

  /// The tally that an object which begins so belongs to, and the least bytes it has; `nil` where it is none.
  @inline(__always)
  mutating func slot(
    _ word: UInt64, _ words: Words, bytes: UInt64, _ regions: borrowing HeapRegions
  ) throws(HeapInspectionError) -> Int? {
    var slot = table.slot(of: word)
    if table.tallies[slot].form == .none {
      let isInImage = regions.isInImage(word)
      guard isInImage || Self.isReferenceCount(words.1) else { return nil }
      slot = try table.insert(classifier.classify(word, isInImage: isInImage), at: slot)
    }
    let form = table.tallies[slot].form
    if form == .unknown, words.1 == Self.newObjectCounts { unknownObjects += 1 }
    guard form != .unknown, bytes >= UInt64(table.tallies[slot].smallestSize) else { return nil }
    if form != .cxx, !Self.isReferenceCount(words.1) { return nil }
    // Nothing refers to a storage but strongly, so one that is deinitialized has been freed, and its memory is something
    // else's by now that has not written to it yet.
    if table.tallies[slot].storage != .none, Self.isDeinitialized(words.1) { return nil }
    guard form == .anyError else { return slot }
    // All errors share their metadata; what tells them apart is the type inside.
    let key = words.2 | 1
    slot = table.slot(of: key)
    return table.tallies[slot].form == .none
      ? try table.insert(TypeTally(word: key, form: .error), at: slot) : slot
  }

  @inline(__always)
  static func add(_ words: Words, at address: UInt64, bytes: UInt64, to tally: inout TypeTally) {
    tally.bytes &+= bytes
    if tally.form != .cxx, isDeinitialized(words.1) {
      tally.deinitialized &+= 1
      return
    }
    tally.instances &+= 1
    tally.sample = HeapAddress(address)
    let (elements, capacity) = use(words, tally.storage)
    // One that is just being made has not got its figures yet. Nothing that holds anything has more room than bytes.
    guard elements <= capacity, tally.storage != .string || capacity <= bytes else { return }
    tally.elements &+= elements
    tally.capacity &+= capacity
  }

  @inline(__always)
  private static func use(_ words: Words, _ storage: TypeTally.Storage) -> (elements: UInt64, capacity: UInt64) {
    switch storage {
    case .none: return (0, 0)
    // The count of elements; their capacity, above one bit that belongs to bridging.
    case .array: return (words.2, (words.3 >> 1) & 0xFFFF_FFFF_FFFF)
    // The count, the capacity, and in the next word the number of buckets as a power of two.
    case .hashTable: return (words.2, 1 << min(words.4 & 0xFF, 40))
    case .string:
      // Both with flags in the upper 16 bits; one byte of the capacity is for the zero.
      let capacity = words.2 & 0xFFFF_FFFF_FFFF
      return (words.3 & 0xFFFF_FFFF_FFFF, capacity &- min(1, capacity))
    }
  }

  /// One reference of the owner, none more: 3 with the flag of Swift's own objects.
  private static let newObjectCounts: UInt64 = 3

  /// Whether an object's `deinit` has run, or runs: it is then kept by unowned references, or about to be freed. All that is
  /// freed has been marked so before, so that what is left of it in memory is never taken for a live object.
  @inline(__always)
  static func isDeinitialized(_ counts: UInt64) -> Bool {
    counts & MetadataLayout.referenceCountsHasSideTable == 0
      && counts & MetadataLayout.referenceCountsIsDeinitializing != 0
  }

  /// Whether an object's second word can be its counts of references: it has a side table, or the flag of Swift's own
  /// objects and the one unowned reference that all objects hold to themselves.
  @inline(__always)
  static func isReferenceCount(_ word: UInt64) -> Bool {
    word & MetadataLayout.referenceCountsHasSideTable != 0
      || (word & MetadataLayout.referenceCountsPureSwift != 0
        && word & MetadataLayout.referenceCountsUnownedMask != 0)
  }
}
