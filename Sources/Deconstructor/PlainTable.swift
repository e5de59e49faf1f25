// Floor 4, storage: rows of plain data, grown in place.
#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Rows without references, one behind the other.
///
/// Grown with `realloc`, which moves the pages of a large block instead of copying them: a table of a million rows takes
/// its own size and not three times as much while it grows, as an array would.
struct PlainTable<Row: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Row>?
  private var capacity = 0
  private(set) var count = 0

  init() {}

  deinit { free(base) }

  /// A row. Numbers of rows are made here and kept in tables of ours; that they are in range is checked in debug builds.
  @inline(__always)
  subscript(_ index: Int) -> Row {
    get {
      assert(index >= 0 && index < count)
      return base.unsafelyUnwrapped[index]
    }
    _modify {
      assert(index >= 0 && index < count)
      yield &base.unsafelyUnwrapped[index]
    }
  }

  var last: Row? { count == 0 ? nil : self[count - 1] }

  /// The rows, for reading.
  var rows: UnsafeBufferPointer<Row> { UnsafeBufferPointer(start: base, count: count) }

  @inline(__always)
  mutating func append(_ row: Row) {
    if count == capacity { grow(1) }
    base.unsafelyUnwrapped[count] = row
    count &+= 1
  }

  @inline(__always)
  mutating func append(contentsOf rows: UnsafeBufferPointer<Row>) {
    guard let start = rows.baseAddress, !rows.isEmpty else { return }
    if capacity &- count < rows.count { grow(rows.count) }
    (base.unsafelyUnwrapped + count).update(from: start, count: rows.count)
    count &+= rows.count
  }

  mutating func append(repeating row: Row, count more: Int) { for _ in 0..<max(0, more) { append(row) } }

  /// Takes the last row away.
  @inline(__always)
  mutating func removeLast() { if count > 0 { count &-= 1 } }

  mutating func cut(to length: Int) { count = min(count, max(0, length)) }

  private mutating func grow(_ more: Int) {
    resize(max(16, max(capacity &* 2, count &+ more)))
  }

  /// Gives back what was not needed.
  mutating func trim() { if count > 0 { resize(count) } }

  private mutating func resize(_ rows: Int) {
    guard let memory = realloc(base, rows &* MemoryLayout<Row>.stride) else {
      // As the standard library's own collections end where there is no memory: no row can be left out unnoticed here, and
      // limits on nodes are what keeps tables small.
      preconditionFailure("no memory for a table of \(rows) rows")
    }
    base = memory.bindMemory(to: Row.self, capacity: rows)
    capacity = rows
  }
}

extension PlainTable where Row == UInt8 {
  /// The UTF-8 of a text.
  @inline(__always)
  mutating func append(text: String) {
    if text.utf8.withContiguousStorageIfAvailable({ append(contentsOf: $0) }) == nil {
      for byte in text.utf8 { append(byte) }
    }
  }

  /// The bytes of a literal.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// So many spaces.
  @inline(__always)
  mutating func append(spaces: Int) {
    guard spaces > 0 else { return }
    if capacity &- count < spaces { grow(spaces) }
    (base.unsafelyUnwrapped + count).update(repeating: UInt8(ascii: " "), count: spaces)
    count &+= spaces
  }

  /// Decimal digits.
  @inline(__always)
  mutating func append(number: UInt64) {
    if number >= 10 { append(number: number / 10) }
    append(UInt8(truncatingIfNeeded: 48 &+ number % 10))
  }

  @inline(__always)
  mutating func append(signed number: Int64) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(number: number.magnitude)
  }

  var string: String { String(decoding: rows, as: UTF8.self) }
}
