// Floor 4, storage: names of fields and types, each kept once.

/// Names by number; 0 is no name.
struct NameTable: ~Copyable {
  private var bytes = PlainTable<UInt8>()
  private var ends = PlainTable<UInt32>()
  private var numbers: [String: UInt32] = [:]

  init() { ends.append(0) }

  /// The number of a name.
  mutating func number(of name: String) -> UInt32 {
    guard !name.isEmpty else { return 0 }
    if let known = numbers[name] { return known }
    let number = UInt32(truncatingIfNeeded: ends.count)
    bytes.append(text: name)
    ends.append(UInt32(truncatingIfNeeded: bytes.count))
    numbers[name] = number
    return number
  }

  @inline(__always)
  func utf8(_ number: UInt32) -> UnsafeBufferPointer<UInt8> {
    guard number > 0, Int(number) < ends.count, let base = bytes.rows.baseAddress else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    let start = Int(ends[Int(number) &- 1])
    return UnsafeBufferPointer(start: base + start, count: Int(ends[Int(number)]) &- start)
  }

  func text(_ number: UInt32) -> String { String(decoding: utf8(number), as: UTF8.self) }
}
