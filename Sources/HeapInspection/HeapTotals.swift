/// What a walk has seen of a heap as a whole. All in bytes, or blocks.
public struct HeapTotals: Hashable, Sendable, Codable {
  /// Arenas: the main one, and those that glibc makes for threads that contend.
  public internal(set) var arenas = 0
  /// Address space of the arenas and of blocks with a mapping of their own.
  public internal(set) var mappedBytes: UInt64 = 0
  /// Of it, what the walk understood.
  public internal(set) var walkedBytes: UInt64 = 0
  /// Blocks handed out and not yet freed.
  public internal(set) var liveBlocks: UInt64 = 0
  /// What they have room for (malloc_usable_size), without the allocator's own headers.
  public internal(set) var liveBytes: UInt64 = 0
  /// Of the live blocks, those with a mapping of their own.
  public internal(set) var mappedBlocks: UInt64 = 0
  /// What those have room for, in bytes.
  public internal(set) var mappedBlockBytes: UInt64 = 0
  /// Freed, and kept for the next request: in free lists and in the caches of threads.
  public internal(set) var freeBytes: UInt64 = 0
  /// Pieces that the free bytes are in.
  public internal(set) var freeBlocks: UInt64 = 0
  /// Never handed out yet, at the end of each arena.
  public internal(set) var untouchedBytes: UInt64 = 0
  /// Times that the walk lost the chain of blocks, since the heap changed under it or is damaged, and found it again.
  public internal(set) var resynchronizations = 0

  private enum CodingKeys: String, CodingKey {
    case arenas
    case mappedBytes = "mapped_bytes"
    case walkedBytes = "walked_bytes"
    case liveBlocks = "live_blocks"
    case liveBytes = "live_bytes"
    case mappedBlocks = "mapped_blocks"
    case mappedBlockBytes = "mapped_block_bytes"
    case freeBytes = "free_bytes"
    case freeBlocks = "free_blocks"
    case untouchedBytes = "untouched_bytes"
    case resynchronizations
  }

  /// How much of the heap was walked, from 0 to 1.
  public var coverage: Double { mappedBytes == 0 ? 0 : min(1, Double(walkedBytes) / Double(mappedBytes)) }

  /// The share of the arenas' used part that is free and scattered between live blocks, from 0 to 1: what an allocator
  /// that keeps memory explains of a resident size.
  public var fragmentation: Double {
    let total = liveBytes - mappedBlockBytes + freeBytes
    return total == 0 ? 0 : Double(freeBytes) / Double(total)
  }
}
