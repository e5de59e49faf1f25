import ProcessMemory

/// A part of an address space that is walked in one go, or that the walk must know of.
struct HeapRegion: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// The main arena, which grows at the program's break.
    case mainHeap
    /// A heap of another arena; the first of an arena begins with its bookkeeping.
    case threadHeap
    /// Memory of no file, in which blocks with a mapping of their own may lie.
    case anonymous
    /// What is mapped of a program or library.
    case image
    /// Of that, what can be written: variables.
    case variables
  }

  var start: UInt64
  var end: UInt64
  var kind: Kind
}

/// Where the parts of a heap are, and where programs and libraries are.
struct HeapRegions: ~Copyable {
  private(set) var regions: PageBuffer<HeapRegion>
  /// What files are mapped, with the memory of no file right behind that belongs to them (their zeroed variables).
  private(set) var images: PageBuffer<HeapRegion>
  private(set) var arenaCount = 0
  /// The lowest and the end of the highest address of all regions.
  private(set) var bounds: Range<UInt64> = 0..<0

  /// Goes through a map once; the map itself may be given back before anything is walked.
  static func collect(
    _ map: MemoryMap, _ memory: any MemoryReader
  ) throws(HeapInspectionError) -> HeapRegions {
    var regions = HeapRegions(regions: try PageBuffer(capacity: 1024), images: try PageBuffer(capacity: 1024))
    try regions.add(map, memory)
    return regions
  }

  private init(regions: consuming PageBuffer<HeapRegion>, images: consuming PageBuffer<HeapRegion>) {
    self.regions = regions
    self.images = images
  }

  private mutating func add(_ map: MemoryMap, _ memory: any MemoryReader) throws(HeapInspectionError) {
    var imageEnd: UInt64 = 0
    for mapping in map where mapping.isReadable {
      let range = mapping.startAddress..<mapping.endAddress
      if mapping.isPath {
        let isVariable = mapping.isWritable && !mapping.isShared
        try images.append(
          HeapRegion(start: range.lowerBound, end: range.upperBound, kind: isVariable ? .variables : .image))
        imageEnd = range.upperBound
        continue
      }
      guard mapping.isWritable, !mapping.isShared else { continue }
      let name = mapping.name
      if name == "[heap]" {
        try regions.append(HeapRegion(start: range.lowerBound, end: range.upperBound, kind: .mainHeap))
        arenaCount += arenaCount == 0 ? 1 : 0
      } else if name.isEmpty || name.hasPrefix("[anon:") {
        // Variables that begin as zero. The kernel may have merged blocks with a mapping of their own with them, where these fill the hole
        // in front of the next image.
        if range.lowerBound == imageEnd {
          try images.append(HeapRegion(start: range.lowerBound, end: range.upperBound, kind: .variables))
        }
        try divide(range, memory)
      }
    }
    for index in 0..<regions.count {
      let region = regions[index]
      let low = index == 0 ? region.start : min(bounds.lowerBound, region.start)
      bounds = low..<max(bounds.upperBound, region.end)
    }
  }

  /// Thread heaps begin at multiples of 64 MiB; what lies between them is memory of other uses.
  private mutating func divide(_ range: Range<UInt64>, _ memory: any MemoryReader) throws(HeapInspectionError) {
    let alignment = GlibcHeapLayout.threadHeapAlignment
    var rest = range.lowerBound
    var heap = (range.lowerBound &+ (alignment - 1)) & ~(alignment - 1)
    while heap >= range.lowerBound, heap < range.upperBound {
      if let size = threadHeapSize(at: heap, memory) {
        if rest < heap { try regions.append(HeapRegion(start: rest, end: heap, kind: .anonymous)) }
        try regions.append(HeapRegion(start: heap, end: heap + size, kind: .threadHeap))
        rest = heap + size
      }
      let (next, overflow) = heap.addingReportingOverflow(alignment)
      if overflow { break }
      heap = next
    }
    if rest < range.upperBound { try regions.append(HeapRegion(start: rest, end: range.upperBound, kind: .anonymous)) }
  }

  /// The bytes in use of the thread heap at an address; `nil` where there is none.
  ///
  /// It may have grown since the map was read: what it says itself is what counts.
  private mutating func threadHeapSize(at address: UInt64, _ memory: any MemoryReader) -> UInt64? {
    guard let info = memory.load(address, as: (UInt64, UInt64, UInt64, UInt64).self) else { return nil }
    let (arena, previous, size, writable) = info
    let alignment = GlibcHeapLayout.threadHeapAlignment
    guard size >= 4096, size & 4095 == 0, size <= alignment, writable >= size, writable <= alignment,
      writable & 4095 == 0
    else { return nil }
    // The arena's bookkeeping is in its first heap, right behind the heap's own; later heaps lead back.
    let isFirst = previous == 0 && arena > address && arena <= address + 128
    guard isFirst || (previous != 0 && previous % alignment == 0 && arena % 8 == 0 && arena >= 4096) else { return nil }
    if isFirst { arenaCount += 1 }
    return size
  }

  /// Whether an address lies in a program, a library, or their variables. Binary search.
  func isInImage(_ address: UInt64) -> Bool {
    var low = 0
    var high = images.count
    while low < high {
      let middle = (low + high) / 2
      let image = images[middle]
      if address < image.start {
        high = middle
      } else if address >= image.end {
        low = middle + 1
      } else {
        return true
      }
    }
    return false
  }
}
