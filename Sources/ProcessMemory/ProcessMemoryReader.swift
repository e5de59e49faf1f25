import CLinux

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Reads the memory of a process, this one included, without stopping it: `process_vm_readv` (process_vm_readv(2)), and
/// `/proc/PID/mem` where a filter forbids that call.
///
/// Guarded like ptrace: same user and dumpable and within what Yama allows, or CAP_SYS_PTRACE. This process may always read
/// itself, and does so without a fault where nothing is mapped. About 1 µs a call, and the speed of a copy for large reads.
/// What is read of a running process may be torn: neighbouring words can be of different moments.
public final class ProcessMemoryReader: MemoryReader {
  /// The process that is read.
  public let processID: Int32
  private let memoryFile: KernelFileBox?

  /// Opens the memory of a process. Asks the kernel once whether it may be read.
  ///
  /// - Throws: ``ProcessMemoryError/noSuchProcess(processID:)`` or
  ///   ``ProcessMemoryError/permissionDenied(path:remedy:)``, which says what would grant it.
  public init(_ processID: Int32) throws(ProcessMemoryError) {
    self.processID = processID
    // Nothing is ever mapped at address 0 for another to read: a permitted reader is told EFAULT.
    var byte: UInt8 = 0
    let answer = cl_read_memory(processID, 0, &byte, 1)
    guard answer < 0, answer != -Int(EFAULT) else {
      memoryFile = nil
      return
    }
    if answer == -Int(ESRCH) { throw .noSuchProcess(processID: processID) }
    let path = ProcRoot.live.file("mem", of: processID)
    do { memoryFile = KernelFileBox(try KernelFile(path: path)) } catch {
      throw .forFile(path, of: processID, code: error.code == ENOENT ? Int32(-answer) : error.code, root: .live)
    }
  }

  /// The memory of this process.
  public static func current() throws(ProcessMemoryError) -> ProcessMemoryReader {
    try ProcessMemoryReader(ProcessIdentity.currentProcessID)
  }

  /// Copies from the process; stops short of the first page that is not mapped or not readable.
  public func read(_ address: UInt64, into destination: UnsafeMutableRawBufferPointer) -> Int {
    guard let start = destination.baseAddress, destination.count > 0 else { return 0 }
    var done = 0
    while done < destination.count {
      let (next, overflow) = address.addingReportingOverflow(UInt64(done))
      guard !overflow else { break }
      let copied = readPiece(next, into: start + done, count: destination.count - done)
      guard copied > 0 else { break }
      done += copied
    }
    return done
  }

  /// One system call: it may stop short of a page that cannot be read, and of what the kernel copies at a time (2 GiB).
  private func readPiece(_ address: UInt64, into destination: UnsafeMutableRawPointer, count: Int) -> Int {
    guard let memoryFile else { return cl_read_memory(processID, address, destination, count) }
    guard let offset = off_t(exactly: address) else { return 0 }
    return pread(memoryFile.file.descriptor, destination, count, offset)
  }
}

/// A file that several threads may read at a time: `pread` has no position of its own.
private final class KernelFileBox: Sendable {
  let file: KernelFile

  init(_ file: consuming KernelFile) { self.file = file }
}
