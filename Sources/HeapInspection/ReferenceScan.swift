import ProcessMemory

/// Looks for words that lead to given addresses, in all memory of no file and in the variables of programs and libraries. Allocates
/// nothing on the heap, where its notes would be found as references.
struct ReferenceScan: ~Copyable {
  /// A word, and where it leads.
  struct Hit: BitwiseCopyable {
    var place: UInt64 = 0
    var target: UInt64 = 0
    var isInVariable = false
  }

  /// Hits beyond this many are not noted: what so much refers to has no one holder.
  private static let hitLimit = 1 << 16
  /// Bits of a word with an address that may say something else: which case of an enum, whether a value is native. Heap objects
  /// lie below 2^56 and at multiples of 8 (`stdlib/public/SwiftShims/HeapObject.h` and `System.h` of the Swift project).
  private static let spareBits: UInt64 = 0xFF00_0000_0000_0007

  private let memory: any MemoryReader
  private var window: MemoryWindow
  /// Sorted.
  private let targets: PageBuffer<UInt64>
  private(set) var hits: PageBuffer<Hit>

  /// - Parameter targets: addresses of objects.
  static func prepare(
    _ memory: any MemoryReader, targets: [HeapAddress]
  ) throws(HeapInspectionError) -> ReferenceScan {
    var sorted = try PageBuffer<UInt64>(capacity: max(targets.count, 1))
    // Put in order one by one: the library's sort would take a copy of them to the heap.
    for target in targets {
      try sorted.append(target.value)
      var index = sorted.count - 1
      while index > 0, sorted[index - 1] > sorted[index] {
        (sorted[index - 1], sorted[index]) = (sorted[index], sorted[index - 1])
        index -= 1
      }
    }
    let window = try MemoryWindow(memory)
    return ReferenceScan(memory, window, sorted, try PageBuffer(capacity: 1024))
  }

  private init(
    _ memory: any MemoryReader, _ window: consuming MemoryWindow, _ targets: consuming PageBuffer<UInt64>,
    _ hits: consuming PageBuffer<Hit>
  ) {
    self.memory = memory
    self.window = window
    self.targets = targets
    self.hits = hits
  }

  /// Looks through everything that has memory behind it.
  mutating func run(_ regions: borrowing HeapRegions) throws(HeapInspectionError) {
    guard targets.count > 0 else { return }
    for index in 0..<regions.regions.count { try scan(regions.regions[index], isVariable: false) }
    for index in 0..<regions.images.count where regions.images[index].kind == .variables {
      try scan(regions.images[index], isVariable: true)
    }
  }

  private mutating func scan(_ region: HeapRegion, isVariable: Bool) throws(HeapInspectionError) {
    var place = region.start
    while place < region.end, let pages = memory.populatedPages(in: place..<region.end) {
      place = pages.lowerBound
      while place < pages.upperBound {
        let shown = window.move(to: place, limit: pages.upperBound)
        guard shown >= 8 else {
          // Given back meanwhile; the rest may be there.
          place = (place | 4095) &+ 1
          continue
        }
        try look(at: place, byteCount: shown, isVariable: isVariable)
        place &+= UInt64(shown & ~7)
      }
      place = max(place, pages.upperBound)
    }
  }

  private mutating func look(at start: UInt64, byteCount: Int, isVariable: Bool) throws(HeapInspectionError) {
    guard let bytes = window.bytes else { return }
    let lowest = targets[0]
    let span = targets[targets.count - 1] - lowest
    var offset = 0
    while offset &+ 8 <= byteCount {
      let address = bytes.load(fromByteOffset: offset, as: UInt64.self) & ~Self.spareBits
      if address &- lowest <= span, isTarget(address), hits.count < Self.hitLimit {
        try hits.append(Hit(place: start &+ UInt64(offset), target: address, isInVariable: isVariable))
      }
      offset &+= 8
    }
  }

  /// Whether a word still leads where it has led.
  func isStill(_ hit: Hit) -> Bool {
    memory.load(hit.place).map { (word: UInt64) in word & ~Self.spareBits == hit.target } ?? false
  }

  private func isTarget(_ address: UInt64) -> Bool {
    var low = 0
    var high = targets.count
    while low < high {
      let middle = (low + high) / 2
      if targets[middle] == address { return true }
      if targets[middle] < address { low = middle + 1 } else { high = middle }
    }
    return false
  }
}
