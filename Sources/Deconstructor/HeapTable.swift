// Floor 4, storage: the heap objects that a walk has met.
import SwiftMetadata

/// Heap objects by address: each is found again, kept alive, and counted once.
struct HeapTable: ~Copyable {
  /// One heap object.
  struct Row: BitwiseCopyable {
    var address: UnsafeRawPointer
    /// The place of its frame on the stack of the walk while its parts are visited.
    var frame: UInt32 = Row.notOnPath
    /// Bytes of its allocation; known once it is reached over a strong reference.
    var bytes: UInt32 = 0
    /// The number in the text, of objects that have one.
    var number: UInt32 = 0
    /// Whether its parts have been visited, or are being.
    var isExpanded = false
    var isCounted = false
    /// Elements that are in a collection's storage.
    var elementCount: UInt32 = 0
    /// Whether more than one place refers to it, of storage that has no number by itself.
    var isShared = false

    static let notOnPath = UInt32.max
  }

  private(set) var rows = PlainTable<Row>()
  /// Open addressing: numbers of rows, plus one.
  private var slots = PlainTable<UInt32>()
  private(set) var objectCount: UInt32 = 0

  init() { rows.append(Row(address: Self.nowhere)) }

  /// Lets all objects go. Rows stay, as a record.
  mutating func release() { for row in rows.rows.dropFirst() { HeapReference(row.address).release() } }

  /// Whether any storage is referred to from more than one place.
  var hasShared: Bool { rows.rows.contains { $0.isShared } }

  /// Leaves nothing by which an object could be reached.
  mutating func forgetAddresses() { for index in 0..<rows.count { rows[index].address = Self.nowhere } }

  static var nowhere: UnsafeRawPointer { UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped }

  /// Whether an object was met before.
  func contains(_ object: HeapReference) -> Bool {
    guard slots.count > 0 else { return false }
    let mask = slots.count &- 1
    var slot = Self.hash(object.address) & mask
    while slots[slot] != 0 {
      if rows[Int(slots[slot])].address == object.address { return true }
      slot = (slot &+ 1) & mask
    }
    return false
  }

  subscript(_ index: Int) -> Row {
    get { rows[index] }
    set { rows[index] = newValue }
  }

  /// The row of an object, made and the object retained where there was none.
  mutating func row(of object: HeapReference) -> Int {
    if rows.count &* 2 >= slots.count { rehash() }
    let mask = slots.count &- 1
    var slot = Self.hash(object.address) & mask
    while slots[slot] != 0 {
      let found = Int(slots[slot])
      if rows[found].address == object.address { return found }
      slot = (slot &+ 1) & mask
    }
    object.retain()
    rows.append(Row(address: object.address))
    slots[slot] = UInt32(truncatingIfNeeded: rows.count &- 1)
    return rows.count - 1
  }

  /// The number that an object has in the text, given at first sight.
  mutating func number(ofRow index: Int) -> UInt32 {
    var row = rows[index]
    if row.number == 0 {
      objectCount &+= 1
      row.number = objectCount
      rows[index] = row
    }
    return row.number
  }

  private mutating func rehash() {
    let size = max(64, slots.count &* 2)
    var fresh = PlainTable<UInt32>()
    fresh.append(repeating: 0, count: size)
    for index in 1..<max(1, rows.count) {
      var slot = Self.hash(rows[index].address) & (size &- 1)
      while fresh[slot] != 0 { slot = (slot &+ 1) & (size &- 1) }
      fresh[slot] = UInt32(truncatingIfNeeded: index)
    }
    slots = fresh
  }

  private static func hash(_ address: UnsafeRawPointer) -> Int {
    let bits = UInt(bitPattern: address) &>> 4 &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: bits &>> 20)
  }
}
