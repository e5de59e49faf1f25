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
  /// Open files, -1 where there is none: plain numbers, so that a reader is one object and no more.
  private let memoryFile: Int32
  private let pageMap: Int32
  private static let pageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 4096))

  /// Opens the memory of a process. Asks the kernel once whether it may be read.
  ///
  /// - Throws: ``ProcessMemoryError/noSuchProcess(processID:)`` or
  ///   ``ProcessMemoryError/permissionDenied(path:remedy:)``, which says what would grant it.
  public init(_ processID: Int32) throws(ProcessMemoryError) {
    self.processID = processID
    pageMap = open(ProcRoot.live.file("pagemap", of: processID), O_RDONLY | O_CLOEXEC)
    // Nothing is ever mapped at address 0 for another to read: a permitted reader is told EFAULT.
    var byte: UInt8 = 0
    let answer = cl_read_memory(processID, 0, &byte, 1)
    guard answer < 0, answer != -Int(EFAULT) else {
      memoryFile = -1
      return
    }
    let path = ProcRoot.live.file("mem", of: processID)
    memoryFile = answer == -Int(ESRCH) ? -1 : open(path, O_RDONLY | O_CLOEXEC)
    guard memoryFile < 0 else { return }
    let code = errno
    if answer == -Int(ESRCH) {
      // No process, or one without memory: one that has ended, a thread of the kernel. Its usage tells which.
      _ = try MemoryUsage.of(processID)
      throw .processEnded(processID: processID)
    }
    throw .forFile(path, of: processID, code: code == ENOENT ? Int32(-answer) : code, root: .live)
  }

  deinit {
    if memoryFile >= 0 { close(memoryFile) }
    if pageMap >= 0 { close(pageMap) }
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
    guard memoryFile >= 0 else { return cl_read_memory(processID, address, destination, count) }
    guard let offset = off_t(exactly: address) else { return 0 }
    return pread(memoryFile, destination, count, offset)
  }
}

extension ProcessMemoryReader {
  /// From `/proc/PID/pagemap` (proc_pid_pagemap(5)): bit 63 of a page's word says that it is in memory, bit 62 that it is
  /// swapped out. One system call for each 512 pages.
  public func populatedPages(in range: Range<UInt64>) -> Range<UInt64>? {
    guard !range.isEmpty else { return nil }
    guard pageMap >= 0 else { return range }
    let size = Self.pageSize
    let end = (range.upperBound - 1) / size + 1
    var page = range.lowerBound / size
    var start: UInt64?
    while page < end {
      let count = Int(min(UInt64(Self.pagesAtATime), end - page))
      let (populated, known) = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: count) { states in
        let bytes = pread(pageMap, states.baseAddress, count * 8, off_t(clamping: page * 8))
        let known = max(bytes, 0) / 8
        // Of pages that are passed over, the first that counts; of a run, the first that ends it.
        return (Self.firstPage(states, known, isPopulated: start == nil), known)
      }
      // What the file says nothing of is taken for populated.
      guard known > 0 else { return range.clamped(to: (start ?? page) * size..<range.upperBound) }
      switch (populated, start) {
      case (let index?, nil):
        start = page + UInt64(index)
        page += UInt64(index)
      case (let index?, let first?): return range.clamped(to: first * size..<(page + UInt64(index)) * size)
      case (nil, _): page += UInt64(known)
      }
    }
    return start.map { range.clamped(to: $0 * size..<end * size) }
  }

  /// A plain loop: unoptimized, a search through a slice is many times slower, and tests run unoptimized.
  private static func firstPage(
    _ states: UnsafeMutableBufferPointer<UInt64>, _ known: Int, isPopulated: Bool
  ) -> Int? {
    guard let states = states.baseAddress else { return nil }
    var index = 0
    while index < known {
      if (states[index] >> 62 != 0) == isPopulated { return index }
      index += 1
    }
    return nil
  }

  private static let pagesAtATime = 512
}
