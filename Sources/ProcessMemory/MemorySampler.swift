import CLinux

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Reads one process's memory again and again: descriptors stay open, buffers are kept, a sample allocates nothing.
///
/// One sample is one read each of `status` and `stat`, together some 12 µs. The open descriptors belong to the process
/// and not to its pid, so they never show a later process of the same pid; what became of the pid is told by the error.
///
/// ```swift
/// var sampler = try MemorySampler(processID: 4242)
/// let usage = try sampler.sample()
/// ```
public struct MemorySampler: ~Copyable {
  /// The process that is read.
  public let processID: Int32
  /// When it began, in clock ticks since the machine started: with the pid, the identity of a process.
  public let startTime: UInt64
  /// A descriptor that `poll` reports readable once the process has ended (a pidfd); `nil` before kernel 5.3, where the
  /// call is forbidden, and on recorded trees. It belongs to the sampler.
  public let exitDescriptor: Int32?

  /// Whether the process was stopped (by SIGSTOP, Ctrl-Z or a debugger) when the last sample was taken.
  public private(set) var isStopped = false

  private let root: ProcRoot
  private let statusPath: String
  private let statPath: String
  private let statusFile: KernelFile
  private let statFile: KernelFile
  private let exitFile: KernelFile?
  private var buffer: ReadBuffer

  /// Opens the files of a process.
  ///
  /// - Throws: ``ProcessMemoryError``: no such process, ended, a kernel thread, not permitted, or a malformed file.
  public init(processID: Int32, root: ProcRoot = .live) throws(ProcessMemoryError) {
    // The pidfd first: if the pid is recycled between the two, the files are of the later process and the pidfd is of
    // the former, which reads as "ended", never as growth of the wrong process.
    let exitDescriptor = root.isLive ? cl_pidfd_open(processID) : -1
    let exitFile = KernelFile(adopting: exitDescriptor)
    let statusPath = root.file("status", of: processID)
    let statPath = root.file("stat", of: processID)
    let statFile = try Self.openFile(statPath, of: processID, root: root)
    let statusFile = try Self.openFile(statusPath, of: processID, root: root)
    var buffer = ReadBuffer()
    try Self.read(statFile, statPath, of: processID, root: root, into: &buffer)
    startTime = try StatFile(buffer.contents, path: statPath).startTime
    self.processID = processID
    self.root = root
    self.statusPath = statusPath
    self.statPath = statPath
    self.statFile = statFile
    self.statusFile = statusFile
    self.buffer = buffer
    self.exitFile = exitFile
    self.exitDescriptor = exitDescriptor >= 0 ? exitDescriptor : nil
  }

  /// What the process uses now.
  ///
  /// - Throws: ``ProcessMemoryError``: `.processEnded` once it has ended, `.processReplaced` when its pid now names
  ///   another process.
  public mutating func sample() throws(ProcessMemoryError) -> MemoryUsage {
    do throws(ProcessMemoryError) {
      return try readUsage()
    } catch {
      guard case .processEnded = error, successorExists() else { throw error }
      throw .processReplaced(processID: processID)
    }
  }

  private mutating func readUsage() throws(ProcessMemoryError) -> MemoryUsage {
    try Self.read(statFile, statPath, of: processID, root: root, into: &buffer)
    let stat = try StatFile(buffer.contents, path: statPath)
    guard stat.startTime == startTime else { throw .processReplaced(processID: processID) }
    try Self.read(statusFile, statusPath, of: processID, root: root, into: &buffer)
    var status = try StatusFile(buffer.contents, path: statusPath)
    if status.isZombie { status = try statusOfLivingThread(leader: status) }
    isStopped = status.isStopped
    return try usage(status, stat)
  }

  private func usage(_ status: StatusFile, _ stat: StatFile) throws(ProcessMemoryError) -> MemoryUsage {
    guard let resident = status.residentBytes else {
      // A process without memory lines has none: a kernel thread never had, any other is on its way out.
      throw stat.isKernelThread ? .kernelThread(processID: processID) : .processEnded(processID: processID)
    }
    var usage = MemoryUsage(
      residentBytes: resident, anonymousBytes: status.anonymousBytes ?? 0, fileBytes: status.fileBytes ?? 0,
      sharedBytes: status.sharedBytes ?? 0, swappedBytes: status.swappedBytes ?? 0,
      peakResidentBytes: status.peakResidentBytes, virtualBytes: status.virtualBytes ?? 0,
      threadCount: status.threadCount, minorFaults: stat.minorFaults, majorFaults: stat.majorFaults,
      division: .counted)
    if status.anonymousBytes == nil {
      usage.division = .estimated
      usage.fileBytes = min(try residentFilePages().multipliedSaturated(by: root.pageSize), resident)
      usage.anonymousBytes = resident - usage.fileBytes
    }
    return usage
  }

  // MARK: - What is rare

  /// A process whose first thread has ended while others run shows a zombie's `status` in its own folder; its memory is
  /// read from a thread that lives.
  private mutating func statusOfLivingThread(leader: StatusFile) throws(ProcessMemoryError) -> StatusFile {
    guard leader.threadCount > 1 else { throw .processEnded(processID: processID) }
    for threadID in numericEntries(of: root.file("task", of: processID)) where threadID != processID {
      let path = root.file("task/\(threadID)/status", of: processID)
      guard let file = try? KernelFile(path: path), (try? file.readAll(into: &buffer)) != nil,
        let status = try? StatusFile(buffer.contents, path: path), !status.isZombie
      else { continue }
      return status
    }
    throw .processEnded(processID: processID)
  }

  /// `statm`, field 3: resident pages that belong to files or are shared.
  private func residentFilePages() throws(ProcessMemoryError) -> UInt64 {
    var statm = ReadBuffer(capacity: 256)
    try readFile("statm", of: processID, root: root, into: &statm)
    var scanner = ByteScanner(statm.contents)
    guard scanner.takeDecimal() != nil, scanner.takeDecimal() != nil, let shared = scanner.takeDecimal() else {
      throw .malformedFile(
        path: root.file("statm", of: processID), line: 1, problem: "three numbers of pages were expected")
    }
    return shared
  }

  /// Whether the pid was given to another process since.
  private mutating func successorExists() -> Bool {
    guard (try? readFile("stat", of: processID, root: root, into: &buffer)) != nil,
      let stat = try? StatFile(buffer.contents, path: statPath)
    else { return false }
    return stat.startTime != startTime
  }

  // MARK: - Files

  private static func openFile(
    _ path: String, of processID: Int32, root: ProcRoot
  ) throws(ProcessMemoryError) -> KernelFile {
    do {
      return try KernelFile(path: path)
    } catch {
      throw ProcessMemoryError.forFile(path, of: processID, code: error.code, root: root)
    }
  }

  private static func read(
    _ file: borrowing KernelFile, _ path: String, of processID: Int32, root: ProcRoot, into buffer: inout ReadBuffer
  ) throws(ProcessMemoryError) {
    do {
      try file.readAll(into: &buffer, oneRecord: true)
    } catch {
      throw ProcessMemoryError.forFile(path, of: processID, code: error.code, root: root)
    }
  }
}

extension UInt64 {
  func multipliedSaturated(by other: UInt64) -> UInt64 {
    let (product, overflowed) = multipliedReportingOverflow(by: other)
    return overflowed ? .max : product
  }
}
