// Floor 5, growth: censuses kept outside the heap that they count.
import HeapInspection

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Keeps what each census of this process found, in pages of its own.
///
/// On the heap it would be part of what the next census counts: some hundred strings, arrays and dictionaries more each time, which
/// look exactly like a leak. Whoever reads the log makes such objects, and must have let go of them before the next census.
final class CensusLog {
  /// The room at first, and the most there can be. A census of 10 000 types takes 1 MiB. Not all at once: the walk over the heap
  /// looks at every page that might hold a block.
  private static let firstCapacity = 256 << 10
  private static let lastCapacity = 256 << 20

  /// Why nothing more can be kept.
  enum Problem: Error { case full }

  private var pages: UnsafeMutableRawPointer?
  private var capacity = 0
  private var used = 0
  private var lastStart = 0
  /// Censuses kept.
  private(set) var count = 0

  /// One type, or all blocks of one range of sizes, in one census.
  struct Row {
    var name: String
    var kind: UInt8
    var instances: UInt64
    var bytes: UInt64
    /// Elements held, in arrays, dictionaries and sets; 0 for all others.
    var elements: UInt64
  }

  deinit { if let pages { munmap(pages, capacity) } }

  /// Makes sure of room behind what is used.
  private func reserve(_ bytes: Int) throws(Problem) {
    let needed = used + bytes
    guard needed > capacity else { return }
    var larger = max(capacity, Self.firstCapacity)
    while larger < needed { larger *= 2 }
    guard larger <= Self.lastCapacity,
      let found = mmap(nil, larger, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), found != MAP_FAILED
    else { throw .full }
    if let pages {
      found.copyMemory(from: pages, byteCount: used)
      munmap(pages, capacity)
    }
    (pages, capacity) = (found, larger)
  }

  /// Keeps a census, without the types that are ignored and the inspection's own.
  func append(_ census: HeapCensus, ignoring ignored: IgnoredTypes) throws(Problem) {
    try reserve(16)
    let start = used
    lastStart = start
    used += 16
    var rows: UInt64 = 0
    var ignoredBytes: UInt64 = 0
    for type in census.types {
      if ignored.matches(type.type) {
        ignoredBytes &+= type.bytes
        continue
      }
      // The text of strings is in their bytes; its length goes up and down with the text of numbers alone.
      let isText = type.type.contains("__StringStorage")
      try put(
        type.type, CensusMatrix.kinds.firstIndex(of: type.kind) ?? 0,
        type.instances, type.bytes, isText ? 0 : type.storage?.elements ?? 0)
      rows += 1
    }
    for group in census.untyped {
      try put(UntypedGroup.name(group), CensusMatrix.untypedKind, group.blocks, group.bytes, 0)
      rows += 1
    }
    write(census.totals.liveBytes &- min(census.totals.liveBytes, ignoredBytes), at: start)
    write(rows, at: start + 8)
    count += 1
  }

  /// Forgets the last census.
  func removeLast() {
    guard count > 0, lastStart < used else { return }
    used = lastStart
    count -= 1
  }

  /// Forgets everything.
  func removeAll() { (used, count) = (0, 0) }

  /// Reads everything back: for each census its live bytes, then each of its rows.
  func forEach(_ liveBytes: (_ census: Int, _ bytes: UInt64) -> Void, _ body: (_ census: Int, _ row: Row) -> Void) {
    var place = 0
    for census in 0..<count {
      liveBytes(census, read(at: &place))
      for _ in 0..<read(at: &place) { body(census, row(at: &place)) }
    }
  }

  // MARK: Bytes

  private func put(
    _ name: String, _ kind: Int, _ instances: UInt64, _ bytes: UInt64, _ elements: UInt64
  ) throws(Problem) {
    var name = name
    let length = name.utf8.count
    try reserve(length + 64)
    guard let pages else { throw .full }
    write(UInt64(length) | UInt64(kind) << 56, at: used)
    write(instances, at: used + 8)
    write(bytes, at: used + 16)
    write(elements, at: used + 24)
    let text = pages + used + 32
    name.withUTF8 { utf8 in if let base = utf8.baseAddress { text.copyMemory(from: base, byteCount: length) } }
    used += (32 + length + 7) & ~7
  }

  private func row(at place: inout Int) -> Row {
    let head = read(at: &place)
    let instances = read(at: &place)
    let bytes = read(at: &place)
    let elements = read(at: &place)
    let length = Int(truncatingIfNeeded: head & 0xFF_FFFF_FFFF)
    guard let pages, place + length <= used else {
      return Row(name: "", kind: 0, instances: 0, bytes: 0, elements: 0)
    }
    let name = String(decoding: UnsafeRawBufferPointer(start: pages + place, count: length), as: UTF8.self)
    place += (length + 7) & ~7
    return Row(name: name, kind: UInt8(head >> 56), instances: instances, bytes: bytes, elements: elements)
  }

  private func write(_ word: UInt64, at place: Int) {
    guard place + 8 <= capacity else { return }
    pages?.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
  }

  private func read(at place: inout Int) -> UInt64 {
    guard let pages, place + 8 <= used else { return 0 }
    defer { place += 8 }
    return pages.load(fromByteOffset: place, as: UInt64.self)
  }
}
