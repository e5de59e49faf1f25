/// Copies bytes out of an address space: this process's, another process's, a recorded one, an ELF file's.
///
/// A read never faults and never traps. What could not be read is part of the answer, not an error: a page that is gone
/// is an everyday thing in a process that runs on.
public protocol MemoryReader: Sendable {
  /// Copies the bytes from `address` on into `destination`, up to the first that cannot be read.
  ///
  /// - Returns: how many bytes were copied; fewer than `destination.count` says that the next one could not be read.
  ///   Never negative.
  func read(_ address: UInt64, into destination: UnsafeMutableRawBufferPointer) -> Int

  /// The first run of pages in a range that have memory behind them, swapped out or not: pages never written need not be
  /// read, and reading them would give them memory. The range itself where that cannot be told.
  func populatedPages(in range: Range<UInt64>) -> Range<UInt64>?
}

extension MemoryReader {
  /// All of the range: for readers of memory that has no pages.
  public func populatedPages(in range: Range<UInt64>) -> Range<UInt64>? { range.isEmpty ? nil : range }

  /// The value of a plain type at an address, which need not be aligned; `nil` where not all of it could be read.
  public func load<Value: BitwiseCopyable>(_ address: UInt64, as type: Value.Type = Value.self) -> Value? {
    withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment) {
      buffer in
      guard read(address, into: buffer) == buffer.count else { return nil }
      return UnsafeRawBufferPointer(buffer).load(as: Value.self)
    }
  }

  /// Up to `count` bytes from `address` on; fewer where the rest could not be read.
  public func bytes(_ address: UInt64, count: Int) -> [UInt8] {
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, min(count, read(address, into: UnsafeMutableRawBufferPointer(buffer))))
    }
  }

  /// The bytes from `address` to the first zero, without it; `nil` where no zero is found within `limit` bytes that can
  /// be read. Read in small pieces, so that a text at the end of a mapping costs no second try.
  public func bytesUpToZero(_ address: UInt64, limit: Int) -> [UInt8]? {
    var found: [UInt8] = []
    while found.count < limit {
      let (next, overflow) = address.addingReportingOverflow(UInt64(found.count))
      guard !overflow else { return nil }
      let piece = bytes(next, count: min(64, limit - found.count))
      if let end = piece.firstIndex(of: 0) { return found + piece[..<end] }
      guard piece.count == min(64, limit - found.count) else { return nil }
      found += piece
    }
    return nil
  }
}
