#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A growing row of plain values in pages of its own, outside the heap.
///
/// Whoever walks the heap of its own process must not allocate on it meanwhile: the walk would count its own notes, and
/// each growth of an array would move what is being counted.
struct PageBuffer<Element: BitwiseCopyable>: ~Copyable {
  private(set) var elements: UnsafeMutableBufferPointer<Element>
  private(set) var count = 0
  private var byteCapacity: Int

  /// Room for at least `capacity` elements, all bytes zero.
  ///
  /// - Throws: ``HeapInspectionError/outOfMemory(byteCount:)``.
  init(capacity: Int) throws(HeapInspectionError) {
    let (bytes, overflow) = max(capacity, 1).multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !overflow, let pages = Self.map(bytes) else { throw .outOfMemory(byteCount: bytes) }
    byteCapacity = bytes
    elements = UnsafeMutableBufferPointer(
      start: pages.assumingMemoryBound(to: Element.self), count: bytes / MemoryLayout<Element>.stride)
  }

  deinit { munmap(elements.baseAddress, byteCapacity) }

  subscript(index: Int) -> Element {
    get { elements[index] }
    set { elements[index] = newValue }
  }

  /// Adds at the end.
  mutating func append(_ element: Element) throws(HeapInspectionError) {
    if count == elements.count { try grow() }
    elements[count] = element
    count += 1
  }

  private mutating func grow() throws(HeapInspectionError) {
    let (bytes, overflow) = byteCapacity.multipliedReportingOverflow(by: 2)
    guard !overflow, let pages = Self.map(bytes) else { throw .outOfMemory(byteCount: bytes) }
    pages.copyMemory(
      from: UnsafeRawPointer(elements.baseAddress ?? pages.assumingMemoryBound(to: Element.self)),
      byteCount: byteCapacity)
    munmap(elements.baseAddress, byteCapacity)
    byteCapacity = bytes
    elements = UnsafeMutableBufferPointer(
      start: pages.assumingMemoryBound(to: Element.self), count: bytes / MemoryLayout<Element>.stride)
  }

  private static func map(_ bytes: Int) -> UnsafeMutableRawPointer? {
    let pages = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return pages == MAP_FAILED ? nil : pages
  }
}
