/// How glibc's malloc lays out a heap on 64-bit machines: the numbers of this module.
///
/// Source: glibc `malloc/malloc.c` (`struct malloc_chunk`, `struct malloc_state`, `struct tcache_perthread_struct`) and
/// `malloc/arena.c` (`struct _heap_info`), versions 2.26 to 2.41. What differs between them is searched for and not assumed:
/// where the first block of a thread's heap is, the key of freed blocks. Tried with 2.36.
enum GlibcHeapLayout {
  /// Before each block: the size of the one before (if that is free), and its own with three flags.
  static let headerSize: UInt64 = 16
  static let smallestChunk: UInt64 = 32
  static let alignment: UInt64 = 16
  static let sizeMask: UInt64 = ~7
  static let previousIsInUse: UInt64 = 1
  static let isMapped: UInt64 = 2
  static let isNotMain: UInt64 = 4

  /// Heaps of thread arenas begin at multiples of this (HEAP_MAX_SIZE, twice DEFAULT_MMAP_THRESHOLD_MAX).
  static let threadHeapAlignment: UInt64 = 64 << 20
  /// The largest header in front of a thread heap's first block: `heap_info`, and in an arena's first heap `malloc_state`.
  static let threadHeapHeaderLimit: UInt64 = 4096
  /// `malloc_state` in an arena's first heap, right behind `heap_info`: among others two addresses of blocks (`top`, `last_remainder`), the
  /// heads of 127 lists of free blocks, two addresses each, and behind these the bits of lists that are not empty (`binmap`, 16 bytes),
  /// two addresses of arenas, and three counts.
  static let arenaTopWords: UInt64 = 2
  static let arenaListWords: UInt64 = 254
  static let arenaBytesBehindLists: UInt64 = 56
  /// `heap_info`: the arena, the heap before, the bytes in use, the bytes that may be written.
  static let heapInfoWords = 4

  /// Blocks up to this size, header included, are kept by threads when freed (tcache).
  static let largestThreadCached: UInt64 = 1040
  /// A freed block of a thread cache: the link to the next, then a key that says so (`tcache_entry`).
  static let largestFastBin: UInt64 = 128
  /// The bookkeeping of a thread's cache is a block of this size: 64 counts of 16 bits, 64 lists.
  static let threadCacheChunk: UInt64 = 0x290
  static let threadCacheListCount = 64
  static let threadCacheLists = 128

  /// A link in a free list is stored combined with its own address (PROTECT_PTR, since 2.32).
  static func revealed(_ link: UInt64, at address: UInt64) -> UInt64 { link ^ (address >> 12) }
}
