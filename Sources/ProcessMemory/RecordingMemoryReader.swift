import Synchronization

/// Reads through another reader, and keeps a copy of each page that is touched: what was looked at can be looked at again.
public final class RecordingMemoryReader: MemoryReader {
  private let memory: any MemoryReader
  private let pages = Mutex<[UInt64: [UInt8]]>([:])
  private static let pageSize: UInt64 = 4096

  /// Records what is read through it from `memory`.
  public init(_ memory: any MemoryReader) { self.memory = memory }

  /// Reads from the other reader; the pages are copied the first time they are touched.
  public func read(_ address: UInt64, into destination: UnsafeMutableRawBufferPointer) -> Int {
    let count = memory.read(address, into: destination)
    guard count > 0 else { return count }
    let last = address &+ UInt64(count - 1)
    for page in (address / Self.pageSize)...(max(last, address) / Self.pageSize) {
      let isKnown = pages.withLock { $0[page] != nil }
      guard !isKnown else { continue }
      let bytes = memory.bytes(page * Self.pageSize, count: Int(Self.pageSize))
      pages.withLock { $0[page] = bytes }
    }
    return count
  }

  /// As the other reader says.
  public func populatedPages(in range: Range<UInt64>) -> Range<UInt64>? { memory.populatedPages(in: range) }

  /// What was touched so far.
  public var recording: RecordedMemory {
    RecordedMemory(
      pages.withLock { pages in
        pages.map { RecordedMemory.Part(address: $0.key * Self.pageSize, bytes: $0.value) }
      })
  }
}
