/// Memory that shares no cache line with anything else, so that threads that write side by side do not slow each other down.
enum OwnLine {
  /// Two lines of 64 bytes: processors fetch them in pairs.
  static let size = 128

  /// Room for values, each at the start of lines of its own; `pointer(_:at:)` finds them.
  static func allocate<Value: ~Copyable>(_ type: Value.Type, count: Int = 1) -> UnsafeMutableRawPointer {
    .allocate(byteCount: stride(type) * count, alignment: size)
  }

  @inline(__always)
  static func stride<Value: ~Copyable>(_ type: Value.Type) -> Int {
    (MemoryLayout<Value>.size + size - 1) / size * size
  }
}
