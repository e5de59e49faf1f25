import ProcessMemory

/// Looks for objects at every 16 bytes of the memory that belongs to no file: for heaps that cannot be walked.
///
/// What is found is an approximation: a freed object whose memory has not been used again looks like a live one, and the
/// sizes are those of the types, without what containers hold behind them.
struct HeapScan: ~Copyable {
  private let memory: any MemoryReader
  private let regions: HeapRegions
  private let own: OwnObjects
  private var window: MemoryWindow
  private(set) var objects: ObjectCounter
  private(set) var totals = HeapTotals()

  static func prepare(
    _ memory: any MemoryReader, regions: consuming HeapRegions, own: OwnObjects
  ) throws(HeapInspectionError) -> HeapScan {
    let objects = try ObjectCounter.prepare(memory)
    let window = try MemoryWindow(memory)
    return HeapScan(memory, regions, own, objects, window)
  }

  private init(
    _ memory: any MemoryReader, _ regions: consuming HeapRegions, _ own: OwnObjects,
    _ objects: consuming ObjectCounter, _ window: consuming MemoryWindow
  ) {
    self.memory = memory
    self.regions = regions
    self.own = own
    self.objects = objects
    self.window = window
  }

  var bytesRead: UInt64 { window.bytesRead }

  /// Looks through everything that has memory behind it.
  mutating func run() throws(HeapInspectionError) {
    for index in 0..<regions.regions.count {
      let region = regions.regions[index]
      var place = region.start
      while place < region.end, let pages = memory.populatedPages(in: place..<region.end) {
        try scan(pages)
        place = pages.upperBound
      }
    }
    totals.walkedBytes = totals.mappedBytes
  }

  private mutating func scan(_ pages: Range<UInt64>) throws(HeapInspectionError) {
    totals.mappedBytes &+= pages.upperBound - pages.lowerBound
    var place = pages.lowerBound
    while pages.upperBound - place >= 48 {
      if place < window.start || place > window.end || window.end - place < 48 {
        guard window.move(to: place, limit: pages.upperBound) >= 48 else {
          // Given back meanwhile; the rest may be there.
          place = (place | 4095) &+ 1
          guard place < pages.upperBound else { return }
          continue
        }
      }
      guard let bytes = window.bytes else { return }
      let words = bytes.loadUnaligned(fromByteOffset: Int(place - window.start), as: ObjectCounter.Words.self)
      place &+= try found(words, at: place, left: pages.upperBound - place) ?? 16
    }
  }

  /// How many bytes the object at a place takes, if there is one.
  private mutating func found(
    _ words: ObjectCounter.Words, at place: UInt64, left: UInt64
  ) throws(HeapInspectionError) -> UInt64? {
    let word = words.0
    // The counts first: here most places are no objects, and this is the cheapest question.
    guard word & 7 == 0, word >= 4096, word < 1 << 47, ObjectCounter.isReferenceCount(words.1), !own.contains(place),
      let slot = try objects.slot(word, words, bytes: left, regions), objects.tallies[slot].form.isSwift
    else { return nil }
    let size = (UInt64(objects.tallies[slot].smallestSize) &+ 15) & ~15
    ObjectCounter.add(words, at: place, bytes: size, to: &objects.tallies[slot])
    totals.liveBlocks &+= 1
    totals.liveBytes &+= size
    return max(size, 16)
  }
}
