// Floor 4, walk: payloads of enums.

/// A copy of an enum's bytes in which the payload was laid bare. It stays alive while the parts are visited.
final class ScratchBytes {
  let start: UnsafeMutableRawPointer

  init(copying bytes: UnsafeRawPointer, count: Int) {
    start = .allocate(byteCount: max(1, count), alignment: 16)
    start.copyMemory(from: bytes, byteCount: count)
  }

  // The bytes are a view of a value that lives elsewhere: nothing is destroyed.
  deinit { start.deallocate() }
}
