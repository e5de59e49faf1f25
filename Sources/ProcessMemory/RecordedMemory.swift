/// Parts of an address space as they once were: for tests, and to look again at a process that is gone.
///
/// As a file: a line of text that names the format, then for each part its address and its length, 8 bytes each in little
/// endian, and its bytes. A part whose length has the highest bit set is all zero and has no bytes.
public struct RecordedMemory: MemoryReader, Hashable {
  /// A part without a gap.
  public struct Part: Hashable, Sendable {
    /// The address of the first byte.
    public var address: UInt64
    /// What was there.
    public var bytes: [UInt8]

    /// A part without a gap.
    public init(address: UInt64, bytes: [UInt8]) {
      self.address = address
      self.bytes = bytes
    }

    fileprivate var end: UInt64 { address &+ UInt64(bytes.count) }
  }

  /// The parts in order of address, none overlapping another.
  public let parts: [Part]

  /// Puts parts in order. What overlaps an earlier part, or would leave the address space, is left out.
  public init(_ parts: [Part]) {
    var kept: [Part] = []
    for part in parts.sorted(by: { $0.address < $1.address }) where !part.bytes.isEmpty {
      guard !part.address.addingReportingOverflow(UInt64(part.bytes.count)).overflow else { continue }
      if let last = kept.last, part.address < last.end { continue }
      kept.append(part)
    }
    self.parts = kept
  }

  /// Copies from the parts; stops short where none is recorded. Logarithmic in the number of parts.
  public func read(_ address: UInt64, into destination: UnsafeMutableRawBufferPointer) -> Int {
    var done = 0
    while done < destination.count {
      let (next, overflow) = address.addingReportingOverflow(UInt64(done))
      guard !overflow, let part = part(containing: next) else { break }
      let start = Int(next - part.address)
      let count = min(part.bytes.count - start, destination.count - done)
      part.bytes.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(rebasing: destination[done..<(done + count)])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)]))
      }
      done += count
    }
    return done
  }

  private func part(containing address: UInt64) -> Part? {
    var low = 0
    var high = parts.count
    while low < high {
      let middle = (low + high) / 2
      if address < parts[middle].address {
        high = middle
      } else if address >= parts[middle].end {
        low = middle + 1
      } else {
        return parts[middle]
      }
    }
    return nil
  }

  // MARK: - As a file

  private static let heading = Array("swift-introspection memory 1\n".utf8)
  private static let zeroMark: UInt64 = 1 << 63
  /// No part of a recording is larger: a length beyond this is damage.
  private static let largestPart: UInt64 = 1 << 32

  /// The recording as the bytes of a file.
  public var fileContents: [UInt8] {
    var contents = Self.heading
    for part in parts {
      let isZero = part.bytes.allSatisfy { $0 == 0 }
      withUnsafeBytes(of: part.address.littleEndian) { contents += $0 }
      let length = UInt64(part.bytes.count) | (isZero ? Self.zeroMark : 0)
      withUnsafeBytes(of: length.littleEndian) { contents += $0 }
      if !isZero { contents += part.bytes }
    }
    return contents
  }

  /// Reads the bytes of a file.
  ///
  /// - Throws: ``ProcessMemoryError/malformedFile(path:line:problem:)`` for anything else than a whole recording.
  public init(fileContents contents: [UInt8], path: String) throws(ProcessMemoryError) {
    guard contents.starts(with: Self.heading) else {
      throw .malformedFile(path: path, line: 1, problem: "not a recording of memory")
    }
    var parts: [Part] = []
    var position = Self.heading.count
    while position < contents.count {
      guard let address = Self.word(contents, position), let length = Self.word(contents, position + 8) else {
        throw .malformedFile(path: path, line: 2, problem: "ends inside the head of part \(parts.count + 1)")
      }
      position += 16
      let size = length & ~Self.zeroMark
      let isZero = length & Self.zeroMark != 0
      guard size <= Self.largestPart, isZero || size <= UInt64(contents.count - position) else {
        throw .malformedFile(path: path, line: 2, problem: "part \(parts.count + 1) is longer than the file")
      }
      if isZero {
        // As much as a page at a time is what a recorder writes; more would let a small file ask for gigabytes.
        guard size <= 65_536 else {
          throw .malformedFile(path: path, line: 2, problem: "part \(parts.count + 1) has too many zeros")
        }
        parts.append(Part(address: address, bytes: [UInt8](repeating: 0, count: Int(size))))
      } else {
        parts.append(Part(address: address, bytes: Array(contents[position..<(position + Int(size))])))
        position += Int(size)
      }
    }
    self.init(parts)
  }

  private static func word(_ contents: [UInt8], _ position: Int) -> UInt64? {
    guard contents.count - position >= 8 else { return nil }
    return contents[position..<(position + 8)].withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self))
    }
  }
}
