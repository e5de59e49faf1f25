/// Text while it is written: bytes in a buffer that begins on the caller's stack and moves to the heap when it is full.
///
/// Most declarations are shorter than the buffer, so writing one allocates its string and nothing else.
struct TextBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0
  private var isOnHeap = false

  /// Begins in memory that outlives the text. It may be empty.
  init(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    if let start = memory.baseAddress, !memory.isEmpty {
      base = start
      capacity = memory.count
    } else {
      base = .allocate(capacity: 64)
      capacity = 64
      isOnHeap = true
    }
  }

  deinit { if isOnHeap { base.deallocate() } }

  /// The text so far. Bytes of a name that are not UTF-8 are replaced.
  var string: String { String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self) }

  @inline(__always) mutating func append(_ text: StaticString) {
    // A literal of one scalar has no pointer to bytes.
    guard text.hasPointerRepresentation else { return append(String(describing: text)) }
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always) mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    if capacity - count < bytes.count { grow(bytes.count) }
    (base + count).update(from: start, count: bytes.count)
    count += bytes.count
  }

  @inline(__always) mutating func append(byte: UInt8) {
    if count == capacity { grow(1) }
    base[count] = byte
    count += 1
  }

  mutating func append(_ text: String) {
    if text.utf8.withContiguousStorageIfAvailable({ append($0) }) == nil {
      for byte in text.utf8 { append(byte: byte) }
    }
  }

  mutating func append(_ text: Substring) {
    if text.utf8.withContiguousStorageIfAvailable({ append($0) }) == nil {
      for byte in text.utf8 { append(byte: byte) }
    }
  }

  /// Decimal digits.
  mutating func append(number: UInt64) {
    // Members and counts are mostly small.
    if number >= 10 { append(number: number / 10) }
    append(byte: UInt8(ascii: "0") + UInt8(number % 10))
  }

  /// So many spaces.
  mutating func append(spaces: Int) { for _ in 0..<max(0, spaces) { append(byte: UInt8(ascii: " ")) } }

  /// Forgets everything from `length` on.
  mutating func cut(to length: Int) { count = min(count, max(0, length)) }

  /// Whether two pieces of the text are the same.
  func isSame(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    guard one.count == other.count, one.upperBound <= count, other.upperBound <= count else { return false }
    return zip(one, other).allSatisfy { base[$0] == base[$1] }
  }

  private mutating func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    memory.update(from: base, count: count)
    if isOnHeap { base.deallocate() }
    base = memory
    capacity = larger
    isOnHeap = true
  }
}
