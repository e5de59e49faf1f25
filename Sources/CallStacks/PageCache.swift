import ProcessMemory

/// Pages of images that have been read: unwinding reads tables byte by byte, and a read of another process costs 1 µs.
struct PageCache {
  private static let pageSize: UInt64 = 4096
  /// So many pages are kept (16 MiB); then all are forgotten.
  private static let limit = 4096
  private var pages: [UInt64: [UInt8]] = [:]
  private var lastNumber = UInt64.max
  private var lastPage: [UInt8] = []

  /// Fills `destination`; false where not all of it can be read.
  mutating func read(
    _ address: UInt64, into destination: UnsafeMutableRawBufferPointer, from memory: any MemoryReader
  ) -> Bool {
    let offset = Int(address % Self.pageSize)
    guard offset + destination.count <= Int(Self.pageSize) else {
      return memory.read(address, into: destination) == destination.count
    }
    let number = address / Self.pageSize
    if number != lastNumber {
      lastPage = page(number, from: memory)
      lastNumber = number
    }
    guard offset + destination.count <= lastPage.count else { return false }
    lastPage.withUnsafeBytes {
      destination.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + destination.count]))
    }
    return true
  }

  private mutating func page(_ number: UInt64, from memory: any MemoryReader) -> [UInt8] {
    if let known = pages[number] { return known }
    let bytes = memory.bytes(number * Self.pageSize, count: Int(Self.pageSize))
    if pages.count >= Self.limit { pages.removeAll(keepingCapacity: true) }
    // What could not be read now may be readable later.
    if !bytes.isEmpty { pages[number] = bytes }
    return bytes
  }
}
