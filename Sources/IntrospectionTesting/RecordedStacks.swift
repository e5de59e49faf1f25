// Floor 5: where allocations came from.
import CAllocationCounter
import CLibunwind
import CallStacks

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Room for the stacks of allocations, in pages of its own, written by the counter.
final class RecordedStacks {
  /// Stacks that are kept; what is allocated beyond is counted without one.
  static let capacity = 20_000
  /// Frames of each: sites are told apart by the innermost frames that are the program's own.
  static let depth = 48

  private let words: UnsafeMutablePointer<UInt>
  private static let byteCount = capacity * (depth + 2) * MemoryLayout<UInt>.stride
  private let smallestSize: UInt64

  /// `nil` where libunwind is missing, or there is no memory.
  ///
  /// - Parameter smallestSize: smaller allocations are not kept, in bytes.
  init?(smallestSize: UInt64 = 0) {
    guard clu_load_local() == nil else { return nil }
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    guard let pages = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, flags, -1, 0), pages != MAP_FAILED else {
      return nil
    }
    words = pages.bindMemory(to: UInt.self, capacity: Self.byteCount / MemoryLayout<UInt>.stride)
    self.smallestSize = smallestSize
  }

  deinit { munmap(words, Self.byteCount) }

  /// The counter's view of it. Valid as long as this object.
  var record: cac_record {
    cac_record(
      words: words, capacity: Self.capacity, depth: Self.depth, smallest_size: Int(clamping: smallestSize),
      capture: clu_backtrace)
  }

  func warmUp() { _ = clu_backtrace(words, Self.depth, 0) }

  /// One allocation.
  struct Allocation {
    var byteCount: UInt64
    var stack: CallStack
  }

  /// What was kept, in the order of allocation. To be read when the count is closed.
  ///
  /// - Parameter count: how many the counter has recorded.
  func allocations(_ count: UInt64) -> [Allocation] {
    (0..<min(Int(clamping: count), Self.capacity)).compactMap { index in
      let row = words + index * (Self.depth + 2)
      let frames = min(Int(clamping: row[1]), Self.depth)
      guard frames > 0 else { return nil }
      let addresses = Array(UnsafeBufferPointer(start: row + 2, count: frames))
      return Allocation(byteCount: UInt64(row[0]), stack: CallStack(addresses: addresses))
    }
  }
}
