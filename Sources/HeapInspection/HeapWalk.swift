import ProcessMemory
import SwiftMetadata

/// One pass over a glibc heap, block by block, as its own size words chain them; nothing is stopped and nothing trusted.
///
/// A heap that is in use changes under the walk: each size is checked, and where the chain breaks it is looked for again,
/// 16 bytes at a time; what was passed over is not counted as walked. The walk itself allocates nothing on the heap.
struct HeapWalk: ~Copyable {
  let memory: any MemoryReader
  private let regions: HeapRegions
  private let own: OwnObjects
  /// Blocks that are looked for; empty where objects are counted.
  private(set) var search: BlockSearch
  private var window: MemoryWindow
  private(set) var objects: ObjectCounter
  private(set) var totals = HeapTotals()
  /// Live blocks that are neither objects of Swift nor of C++, by size: count and bytes of each power of two.
  private(set) var plain: PageBuffer<PlainTally>
  /// What freed blocks bear in their second word while a thread's cache keeps them; 0 where unknown.
  private var cacheKey: UInt64 = 0

  /// Sizes of up to 64 bits.
  static let plainGroups = 65

  struct PlainTally: BitwiseCopyable {
    var blocks: UInt64 = 0
    var bytes: UInt64 = 0
  }

  /// A block whose state the header behind it will tell.
  private struct Block: BitwiseCopyable {
    var chunk: UInt64 = 0
    var size: UInt64 = 0
    var words: ObjectCounter.Words = (0, 0, 0, 0, 0)
    var user: UInt64 { chunk &+ GlibcHeapLayout.headerSize }
    /// malloc_usable_size: the last eight bytes are borrowed from the header behind.
    var usable: UInt64 { size &- 8 }
  }

  static func prepare(
    _ memory: any MemoryReader, regions: consuming HeapRegions, own: OwnObjects, search: consuming BlockSearch? = nil
  ) throws(HeapInspectionError) -> HeapWalk {
    let objects = try ObjectCounter.prepare(memory)
    let window = try MemoryWindow(memory)
    let plain = try PageBuffer<PlainTally>(capacity: plainGroups)
    let blocks: BlockSearch
    if let search { blocks = search } else { blocks = try .nothing() }
    return HeapWalk(memory, regions, own, blocks, objects, window, plain)
  }

  private init(
    _ memory: any MemoryReader, _ regions: consuming HeapRegions, _ own: OwnObjects, _ search: consuming BlockSearch,
    _ objects: consuming ObjectCounter, _ window: consuming MemoryWindow, _ plain: consuming PageBuffer<PlainTally>
  ) {
    self.search = search
    self.memory = memory
    self.regions = regions
    self.own = own
    self.objects = objects
    self.window = window
    self.plain = plain
  }

  /// The tally that the object in a block belongs to; `nil` where it is none.
  mutating func tally(of block: BlockSearch.Found) throws(HeapInspectionError) -> TypeTally? {
    guard let slot = try objects.slot(block.words.0, block.words, bytes: block.byteCount, regions) else { return nil }
    return objects.tallies[slot]
  }

  /// Bytes copied out of the process so far.
  var bytesRead: UInt64 { window.bytesRead }

  /// Walks everything.
  mutating func run() throws(HeapInspectionError) {
    totals.arenas = regions.arenaCount
    findCacheKey()
    for index in 0..<regions.regions.count {
      let region = regions.regions[index]
      switch region.kind {
      case .mainHeap: try walkArena(from: region.start, to: grownEnd(of: region), isMain: true)
      case .threadHeap: try walkArena(from: region.start, to: region.end, isMain: false)
      case .anonymous: try walkMapped(region.start..<region.end)
      case .image, .variables: break
      }
    }
  }

  // MARK: - Arenas

  /// Where the main heap ends now: it may have grown since the map was read, and nothing else lies behind it.
  private func grownEnd(of region: HeapRegion) -> UInt64 {
    var end = region.end
    while end - region.end < 1 << 30, memory.load(end, as: UInt8.self) != nil { end &+= 4096 }
    return end
  }

  private mutating func walkArena(from start: UInt64, to end: UInt64, isMain: Bool) throws(HeapInspectionError) {
    totals.mappedBytes &+= end - start
    let first = endOfBookkeeping(of: start)
    guard var chunk = chain(from: first ?? start, to: end, isMain: isMain, headersAllowed: true) else {
      // A thread that is interrupted in malloc leaves the chain of a young arena broken near its beginning.
      totals.resynchronizations += 1
      return
    }
    if let first, chunk != first { totals.resynchronizations += 1 }
    // The bookkeeping in front of the first block is no part of the heap that could be missed.
    totals.walkedBytes &+= (first ?? chunk) - start
    while chunk < end {
      let reached = try walkChain(from: chunk, to: end, isMain: isMain)
      totals.walkedBytes &+= reached - chunk
      guard reached < end else { break }
      totals.resynchronizations += 1
      guard let next = chain(from: reached + GlibcHeapLayout.alignment, to: end, isMain: isMain, headersAllowed: false)
      else { break }
      chunk = next
    }
  }

  /// Follows the chain until it ends or breaks; returns where.
  private mutating func walkChain(
    from start: UInt64, to end: UInt64, isMain: Bool
  ) throws(HeapInspectionError) -> UInt64 {
    var chunk = start
    var pending = Block()
    var isPending = false
    var words = window.bytes
    var windowStart = window.start
    var windowEnd = window.end
    while end - chunk >= GlibcHeapLayout.headerSize {
      // The header, and the five words of the block that are looked at.
      if chunk < windowStart || chunk > windowEnd || windowEnd - chunk < min(64, end - chunk) {
        let shown = window.move(to: chunk, limit: end)
        (words, windowStart, windowEnd) = (window.bytes, window.start, window.end)
        if shown < 16 { break }
      }
      guard let base = words else { break }
      let field = base + Int(chunk - windowStart)
      let header = field.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      let size = header & GlibcHeapLayout.sizeMask
      // What closes a heap that malloc has left for another one; the rest in front of it may be in use or free.
      let isFence = header & ~GlibcHeapLayout.previousIsInUse == GlibcHeapLayout.headerSize
      guard isFence || isPlausible(header, size, left: end - chunk, isMain: isMain) else {
        // The two small pieces that close an arena's earlier heap.
        if size == 0, end - chunk <= 2 * GlibcHeapLayout.headerSize { chunk = end }
        break
      }
      if isPending { try settle(pending, isInUse: header & GlibcHeapLayout.previousIsInUse != 0) }
      isPending = !isFence
      pending.chunk = chunk
      pending.size = size
      let shown = windowEnd - chunk
      if shown >= 56 {
        pending.words = field.loadUnaligned(
          fromByteOffset: 16, as: ObjectCounter.Words.self)
      } else {
        pending.words = (
          shown >= 24 ? field.loadUnaligned(fromByteOffset: 16, as: UInt64.self) : 0,
          shown >= 32 ? field.loadUnaligned(fromByteOffset: 24, as: UInt64.self) : 0, 0, 0, 0
        )
      }
      chunk &+= size
    }
    if isPending {
      if chunk >= end {
        // The last block reaches the end: what was never handed out.
        totals.untouchedBytes &+= pending.size
      } else {
        try settle(pending, isInUse: true)
      }
    }
    return min(chunk, end)
  }

  private func isPlausible(_ header: UInt64, _ size: UInt64, left: UInt64, isMain: Bool) -> Bool {
    size >= GlibcHeapLayout.smallestChunk && size & (GlibcHeapLayout.alignment - 1) == 0 && size <= left
      && header & GlibcHeapLayout.isMapped == 0 && (!isMain || header & GlibcHeapLayout.isNotMain == 0)
  }

  /// Where the first block of an arena's first heap is; `nil` for other heaps, and where that cannot be told.
  ///
  /// The bookkeeping differs in length between versions, and must not be searched for blocks: the bits that say which lists are not empty look
  /// like a size now and then, and it may lead into the midst of the real blocks. It is known by the long row of addresses in it.
  private mutating func endOfBookkeeping(of heap: UInt64) -> UInt64? {
    typealias Layout = GlibcHeapLayout
    let limit = heap &+ Layout.threadHeapHeaderLimit
    guard window.move(to: heap, limit: limit) == Int(Layout.threadHeapHeaderLimit), let arena = window.word(heap),
      arena > heap, arena < limit, arena % 8 == 0
    else { return nil }
    var place = arena
    var count: UInt64 = 0
    while place < limit, let word = window.word(place) {
      if word & 7 == 0, regions.bounds.contains(word) {
        count &+= 1
      } else if count >= Layout.arenaListWords {
        break
      } else {
        count = 0
      }
      place &+= 8
    }
    // The bits behind them might be taken for one more.
    let withTop = Layout.arenaListWords + Layout.arenaTopWords
    let known = count >= withTop ? withTop : Layout.arenaListWords
    guard count >= known else { return nil }
    let end = place &- (count &- known) * 8 &+ Layout.arenaBytesBehindLists
    return (end &+ (Layout.alignment - 1)) & ~(Layout.alignment - 1)
  }

  /// The next place from which several blocks follow each other, or one that reaches the end.
  ///
  /// - Parameter headersAllowed: the search begins in front of the first block, where an arena has its bookkeeping.
  private mutating func chain(
    from start: UInt64, to end: UInt64, isMain: Bool, headersAllowed: Bool
  ) -> UInt64? {
    var candidate = (start &+ 15) & ~15
    while candidate < end, end - candidate >= GlibcHeapLayout.smallestChunk {
      if candidate < window.start || window.end < candidate || window.end - candidate < 16 {
        if window.move(to: candidate, limit: end) < 16 {
          // Nothing to read here: on to the next page.
          candidate = (candidate | 4095) &+ 1
          continue
        }
      }
      if isChain(at: candidate, to: end, isMain: isMain) { return candidate }
      candidate &+= GlibcHeapLayout.alignment
      if headersAllowed, candidate - start > GlibcHeapLayout.threadHeapHeaderLimit, !isMain { return nil }
    }
    return nil
  }

  private func isChain(at start: UInt64, to end: UInt64, isMain: Bool) -> Bool {
    var chunk = start
    // Blocks of plain data look like headers now and then, but not so many in a row, each where the last one ends.
    for _ in 0..<8 {
      guard end - chunk >= 16, let header = window.word(chunk &+ 8) else { return false }
      let size = header & GlibcHeapLayout.sizeMask
      guard isPlausible(header, size, left: end - chunk, isMain: isMain) else { return false }
      chunk &+= size
      if chunk >= end { return true }
    }
    return true
  }

  // MARK: - Blocks with a mapping of their own

  private mutating func walkMapped(_ range: Range<UInt64>) throws(HeapInspectionError) {
    var place = range.lowerBound
    while let pages = memory.populatedPages(in: place..<range.upperBound) {
      place = pages.lowerBound
      while place < pages.upperBound {
        place &+= try takeMapped(at: place, left: range.upperBound - place) ?? 4096
      }
      guard place < range.upperBound else { return }
    }
  }

  /// The block that begins at a page, if one does: the kernel merges neighbouring mappings, so that may be any page.
  /// Returns its size.
  private mutating func takeMapped(at place: UInt64, left: UInt64) throws(HeapInspectionError) -> UInt64? {
    typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    guard left >= 4096, let words = memory.load(place, as: Words.self) else { return nil }
    let size = words.1 & GlibcHeapLayout.sizeMask
    guard words.1 & 7 == GlibcHeapLayout.isMapped, size & 4095 == 0, size >= 4096, size <= left, words.0 == 0 else {
      return nil
    }
    totals.mappedBytes &+= size
    totals.walkedBytes &+= size
    totals.mappedBlocks &+= 1
    totals.mappedBlockBytes &+= size &- GlibcHeapLayout.headerSize
    // Nothing follows whose header could be borrowed: such a block has 8 bytes less for the program.
    try settle(
      Block(chunk: place, size: size &- 8, words: (words.2, words.3, words.4, words.5, words.6)), isInUse: true)
    return size
  }

  // MARK: - What a block is

  @inline(__always)
  private mutating func settle(_ block: Block, isInUse: Bool) throws(HeapInspectionError) {
    guard isInUse else {
      totals.freeBytes &+= block.usable
      totals.freeBlocks &+= 1
      return
    }
    guard !own.contains(block.user) else { return }
    let word = block.words.0
    if word & 7 == 0, word >= 4096, word < 1 << 47,
      try objects.count(word, block.words, at: block.user, bytes: block.usable, regions)
    {
      return try countLive(block)
    }
    if isKept(block) {
      totals.freeBytes &+= block.usable
      totals.freeBlocks &+= 1
      return
    }
    try countLive(block)
    let index = 64 - block.usable.leadingZeroBitCount
    plain.elements[index].blocks &+= 1
    plain.elements[index].bytes &+= block.usable
  }

  private mutating func countLive(_ block: Block) throws(HeapInspectionError) {
    totals.liveBlocks &+= 1
    totals.liveBytes &+= block.usable
    if !search.isEmpty { try search.look(at: block.user, byteCount: block.usable, words: block.words) }
  }

  // MARK: - Freed blocks that look live

  /// Whether a block has been freed and is kept, by a thread's cache or a fast list, for the next request of its size.
  /// To its neighbours such a block looks like a live one.
  private func isKept(_ block: Block) -> Bool {
    guard block.size <= GlibcHeapLayout.largestThreadCached else { return false }
    let next = GlibcHeapLayout.revealed(block.words.0, at: block.user)
    guard next == 0 || (next & 15 == 0 && regions.bounds.contains(next)) else { return false }
    if cacheKey != 0, block.words.1 == cacheKey { return true }
    guard block.size <= GlibcHeapLayout.largestFastBin else { return false }
    // A fast list holds one size.
    return next == 0 || window.word(next &+ 8).map { $0 & GlibcHeapLayout.sizeMask == block.size } ?? false
  }

  /// The key is one random word for the whole process (since 2.34; before, the address of the thread's own lists). It is
  /// found where the first block of an arena holds those lists, in any freed block that they lead to.
  private mutating func findCacheKey() {
    for index in 0..<regions.regions.count {
      let region = regions.regions[index]
      guard region.kind != .anonymous,
        let chunk = chain(
          from: endOfBookkeeping(of: region.start) ?? region.start, to: region.end,
          isMain: region.kind == .mainHeap, headersAllowed: true),
        let header = memory.load(chunk &+ 8, as: UInt64.self),
        header & GlibcHeapLayout.sizeMask == GlibcHeapLayout.threadCacheChunk
      else { continue }
      for list in 0..<GlibcHeapLayout.threadCacheListCount {
        let place = chunk &+ 16 &+ UInt64(GlibcHeapLayout.threadCacheLists + list * 8)
        guard let first = memory.load(place, as: UInt64.self), first & 15 == 0, regions.bounds.contains(first),
          let key = memory.load(first &+ 8, as: UInt64.self), key != 0
        else { continue }
        cacheKey = key
        return
      }
    }
  }
}
