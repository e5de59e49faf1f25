import ProcessMemory

/// A copy of the part of a stack that is in use, and what lies elsewhere read from the process itself.
///
/// So that a thread is stopped for a copy and not for an unwind.
final class StackSnapshot: MemoryReader {
  private let stack: Range<UInt64>
  // These two are safe because a snapshot never leaves the function and the thread that made it: it lives for one unwind.
  private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  /// Words that were read neither of the copy nor of an image, while the process ran on.
  private nonisolated(unsafe) var torn = 0
  private let live: ProcessMemoryReader
  /// Whether the process is held still: reads outside of the copy are as good as those within.
  private let isHeld: Bool
  private let images: ImageMap
  private let copiedEnd: UInt64

  /// - Parameters:
  ///   - stack: the addresses of the stack, of which `bytes` are those from the start on.
  ///   - bytes: outlive the snapshot.
  init(
    stack: Range<UInt64>, bytes: UnsafeRawBufferPointer, live: ProcessMemoryReader, images: ImageMap, isHeld: Bool
  ) {
    (self.stack, self.bytes, self.live, self.images, self.isHeld) = (stack, bytes, live, images, isHeld)
    copiedEnd = stack.lowerBound &+ UInt64(bytes.count)
  }

  /// Whether words were needed that may have changed meanwhile.
  var hasTornReads: Bool { torn > 0 }

  func read(_ address: UInt64, into destination: UnsafeMutableRawBufferPointer) -> Int {
    if stack.contains(address) {
      guard address < copiedEnd else { return 0 }
      let offset = Int(address &- stack.lowerBound)
      let count = min(destination.count, bytes.count - offset)
      destination.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count]))
      return count
    }
    if !isHeld, images.index(containing: address) == nil { torn += 1 }
    return live.read(address, into: destination)
  }
}
