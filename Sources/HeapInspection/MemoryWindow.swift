import ProcessMemory

/// A piece of another address space at a time, copied into pages of its own: what a walk over gigabytes holds of them.
struct MemoryWindow: ~Copyable {
  /// One MiB: large enough that the calls do not count, small enough to stay in the processor's cache.
  static let byteCount = 1 << 20

  private var buffer: PageBuffer<UInt64>
  private(set) var start: UInt64 = 0
  private(set) var end: UInt64 = 0
  private let memory: any MemoryReader
  private(set) var bytesRead: UInt64 = 0

  init(_ memory: any MemoryReader) throws(HeapInspectionError) {
    self.memory = memory
    buffer = try PageBuffer(capacity: Self.byteCount / 8)
  }

  /// What the window shows, for reading at `address - start`.
  var bytes: UnsafeRawPointer? { UnsafeRawPointer(buffer.elements.baseAddress) }

  /// Moves the window so that it begins at `address`; shows nothing past `limit`. Returns how many bytes it shows.
  mutating func move(to address: UInt64, limit: UInt64) -> Int {
    let wanted = Int(clamping: min(UInt64(Self.byteCount), limit > address ? limit - address : 0))
    let pages = UnsafeMutableRawBufferPointer(buffer.elements)
    let count = max(
      0, min(wanted, memory.read(address, into: UnsafeMutableRawBufferPointer(rebasing: pages[..<wanted]))))
    start = address
    end = address + UInt64(count)
    bytesRead &+= UInt64(count)
    return count
  }

  /// A word, from the window where it shows it; otherwise asked for.
  func word(_ address: UInt64) -> UInt64? {
    guard address >= start, address <= end, end - address >= 8, let bytes else { return memory.load(address) }
    return bytes.loadUnaligned(fromByteOffset: Int(address - start), as: UInt64.self)
  }
}
