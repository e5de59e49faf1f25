// Reading the kernel's files: descriptors that close themselves, a buffer that grows and is kept, lines without copies.

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A system call's `errno`, as an error of its own until the file it concerns is known.
struct SystemError: Error {
  let code: Int32
}

/// A buffer kept between reads, so that a steady reader allocates nothing.
struct ReadBuffer: ~Copyable {
  private(set) var storage: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(capacity: Int = 8192) {
    storage = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { storage.deallocate() }

  /// What the last `read` put here.
  var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

  fileprivate mutating func grow() {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: storage.count * 2, alignment: 16)
    larger.copyMemory(from: contents)
    storage.deallocate()
    storage = larger
  }

  fileprivate mutating func setCount(_ newCount: Int) { count = newCount }
}

/// An open file that closes itself.
struct KernelFile: ~Copyable {
  let descriptor: Int32

  init(path: String) throws(SystemError) {
    var opened: Int32
    repeat { opened = open(path, O_RDONLY | O_CLOEXEC) } while opened < 0 && errno == EINTR
    guard opened >= 0 else { throw SystemError(code: errno) }
    descriptor = opened
  }

  /// Takes over a descriptor; `nil` for the negative number of a call that failed.
  init?(adopting descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads the whole file, from its start, into `buffer`.
  ///
  /// - Parameter oneRecord: the kernel hands this file out in one piece (`status`, `stat`, `smaps_rollup`): a read that
  ///   leaves room in the buffer has seen the end, which saves the second system call.
  func readAll(into buffer: inout ReadBuffer, oneRecord: Bool = false) throws(SystemError) {
    buffer.setCount(0)
    while true {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffer.storage[buffer.count...])
      let got = pread(descriptor, room.baseAddress, room.count, off_t(buffer.count))
      if got < 0 {
        if errno == EINTR { continue }
        throw SystemError(code: errno)
      }
      if got == 0 { return }
      buffer.setCount(buffer.count + got)
      if buffer.count == buffer.storage.count {
        buffer.grow()
      } else if oneRecord {
        return
      }
    }
  }

  /// Reads up to `count` bytes at `offset`; fewer at the end of the file.
  func read(count: Int, at offset: UInt64) throws(SystemError) -> [UInt8] {
    guard count > 0, let position = off_t(exactly: offset) else { return [] }
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, initialized in
      while initialized < count {
        let got = pread(
          descriptor, room.baseAddress?.advanced(by: initialized), count - initialized,
          position + off_t(initialized))
        if got < 0, errno == EINTR { continue }
        if got < 0 { code = errno }
        guard got > 0 else { return }
        initialized += got
      }
    }
    if code != 0 { throw SystemError(code: code) }
    return bytes
  }
}

/// The whole of a file of `processID`, read once.
func readFile(
  _ name: String, of processID: Int32, root: ProcRoot, into buffer: inout ReadBuffer
) throws(ProcessMemoryError) {
  let path = root.file(name, of: processID)
  do {
    try KernelFile(path: path).readAll(into: &buffer)
  } catch {
    throw ProcessMemoryError.forFile(path, of: processID, code: error.code, root: root)
  }
}

/// The whole of a small text file that belongs to no process, without the newline at its end; `nil` where there is none.
package func readSmallFile(_ path: String) -> String? {
  var buffer = ReadBuffer(capacity: 4096)
  guard let file = try? KernelFile(path: path), (try? file.readAll(into: &buffer)) != nil else { return nil }
  var text = String(decoding: buffer.contents, as: UTF8.self)
  while text.last == "\n" { text.removeLast() }
  return text
}

/// The target of a symbolic link, or an `errno`.
func readLink(_ path: String) throws(SystemError) -> String {
  // PATH_MAX, and what " (deleted)" adds.
  var capacity = 4096 + 16
  while true {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { room, initialized in
      let got = room.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map { readlink(path, $0, characters.count) } ?? 0
      }
      if got < 0 { code = errno }
      initialized = max(got, 0)
    }
    if code != 0 { throw SystemError(code: code) }
    if bytes.count < capacity { return String(decoding: bytes, as: UTF8.self) }
    capacity *= 2
  }
}
