import MeasurementText

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// What the kernel finds when it walks every page of a process: shares, private pages, pages that may be freed. Bytes.
///
/// **Slow, and it locks.** The kernel holds the process's memory map while it walks, some 9 ms for each GiB of small
/// pages, and the process waits if it maps or faults meanwhile. That is why ``of(_:budget:previous:root:)`` takes a
/// budget, and why ``MemorySampler`` never reads it.
///
/// Source: `/proc/PID/smaps_rollup` (kernel 4.14 and later), the sum over `/proc/PID/smaps` before. Both are guarded like
/// ptrace: same user, or CAP_SYS_PTRACE.
public struct DetailedMemoryUsage: Codable, Hashable, Sendable {
  /// Resident pages, as the walk found them.
  public var residentBytes: UInt64 = 0
  /// Proportional set size: each resident page counted by one over the number of processes that map it. The only figure
  /// that can be added up over processes.
  public var proportionalBytes: UInt64 = 0
  /// The anonymous part of the proportional set size; `nil` before kernel 5.9.
  public var proportionalAnonymousBytes: UInt64?
  /// The file part of the proportional set size; `nil` before kernel 5.9.
  public var proportionalFileBytes: UInt64?
  /// The shared memory part of the proportional set size; `nil` before kernel 5.9.
  public var proportionalSharedBytes: UInt64?
  /// Pages only this process maps and has not written.
  public var privateCleanBytes: UInt64 = 0
  /// Pages only this process maps and has written: what ending it would surely give back.
  public var privateDirtyBytes: UInt64 = 0
  /// Anonymous pages, whether or not shared with forked processes.
  public var anonymousBytes: UInt64 = 0
  /// Pages given up with `MADV_FREE` that the kernel has not taken yet: resident, and free for all purposes.
  public var lazyFreeBytes: UInt64 = 0
  /// Anonymous memory in transparent huge pages.
  public var anonymousHugePageBytes: UInt64 = 0
  /// Pages in swap.
  public var swappedBytes: UInt64 = 0
  /// Pages in swap, each counted by one over the number of processes that share it.
  public var proportionalSwappedBytes: UInt64 = 0
  /// Locked in memory.
  public var lockedBytes: UInt64 = 0
  /// How long the kernel took: what the process's memory map was locked for, at the most.
  public var readDuration: Duration = .zero

  /// Unique set size: what only this process maps.
  public var uniqueBytes: UInt64 { privateCleanBytes.addingSaturated(privateDirtyBytes) }

  /// The sum over several processes; a part that one of them does not have is left out of the sum.
  public static func + (left: DetailedMemoryUsage, right: DetailedMemoryUsage) -> DetailedMemoryUsage {
    var sum = left
    func add(_ field: WritableKeyPath<DetailedMemoryUsage, UInt64>) {
      sum[keyPath: field] = left[keyPath: field].addingSaturated(right[keyPath: field])
    }
    func add(_ field: WritableKeyPath<DetailedMemoryUsage, UInt64?>) {
      guard left[keyPath: field] != nil || right[keyPath: field] != nil else { return }
      sum[keyPath: field] = (left[keyPath: field] ?? 0).addingSaturated(right[keyPath: field] ?? 0)
    }
    add(\.residentBytes)
    add(\.proportionalBytes)
    add(\.proportionalAnonymousBytes)
    add(\.proportionalFileBytes)
    add(\.proportionalSharedBytes)
    add(\.privateCleanBytes)
    add(\.privateDirtyBytes)
    add(\.anonymousBytes)
    add(\.lazyFreeBytes)
    add(\.anonymousHugePageBytes)
    add(\.swappedBytes)
    add(\.proportionalSwappedBytes)
    add(\.lockedBytes)
    sum.readDuration = left.readDuration + right.readDuration
    return sum
  }

  /// The default budget of a read.
  public static let defaultBudget: Duration = .milliseconds(20)

  /// A process, now, if reading it is expected to stay within the budget.
  ///
  /// A read cannot be interrupted, so the budget is held beforehand: the expected time is the resident size times the
  /// time per byte of `previous`, or else 9 ms for each GiB (measured, 4 KiB pages; huge pages are faster).
  ///
  /// - Parameters:
  ///   - budget: the longest the process may be held up; `nil` for no limit.
  ///   - previous: an earlier reading of the same process, from whose speed the time is foreseen.
  /// - Throws: ``ProcessMemoryError``; `.overBudget` with the expected time.
  public static func of(
    _ processID: Int32, budget: Duration? = defaultBudget, previous: DetailedMemoryUsage? = nil, root: ProcRoot = .live
  ) throws(ProcessMemoryError) -> DetailedMemoryUsage {
    let path = root.file("smaps_rollup", of: processID)
    if let budget {
      let resident = try MemoryUsage.of(processID, root: root).residentBytes
      let expected = expectedDuration(residentBytes: resident, previous: previous)
      guard expected <= budget else { throw .overBudget(path: path, expected: expected, budget: budget) }
    }
    var buffer = ReadBuffer()
    let clock = ContinuousClock()
    let start = clock.now
    let file = try read(processID, root: root, into: &buffer)
    var usage = try DetailedMemoryUsage(summing: buffer.contents, path: file, processID: processID)
    usage.readDuration = clock.now - start
    return usage
  }

  /// How long a read will take, foreseen from the resident size.
  static func expectedDuration(residentBytes: UInt64, previous: DetailedMemoryUsage?) -> Duration {
    let nanosecondsPerGibibyte = 9e6
    var perByte = nanosecondsPerGibibyte / 1_073_741_824
    if let previous, previous.residentBytes > 0 {
      let (seconds, attoseconds) = previous.readDuration.components
      perByte = (Double(seconds) * 1e9 + Double(attoseconds) * 1e-9) / Double(previous.residentBytes)
    }
    return .nanoseconds(Int64(min(Double(residentBytes) * perByte, 9e18)))
  }

  private static func read(
    _ processID: Int32, root: ProcRoot, into buffer: inout ReadBuffer
  ) throws(ProcessMemoryError) -> String {
    do {
      try readFile("smaps_rollup", of: processID, root: root, into: &buffer)
      return root.file("smaps_rollup", of: processID)
    } catch .unreadable(_, ENOENT) {
      try readFile("smaps", of: processID, root: root, into: &buffer)
      return root.file("smaps", of: processID)
    }
  }

  /// Adds up the `Key:  value kB` lines; a rollup has each once, `smaps` once a mapping. Lines of mappings and keys that
  /// later kernels add are passed over.
  private init(summing bytes: UnsafeRawBufferPointer, path: String, processID: Int32) throws(ProcessMemoryError) {
    // A process that is exiting, and a kernel thread, have the file and nothing in it.
    guard !bytes.isEmpty else { throw .processEnded(processID: processID) }
    var lines = LineScanner(bytes)
    var sawResident = false
    while let line = lines.next() {
      func add(_ value: UnsafeRawBufferPointer, to total: inout UInt64) throws(ProcessMemoryError) {
        total = total.addingSaturated(try value.kilobytes(path: path, line: lines.lineNumber))
      }
      func add(_ value: UnsafeRawBufferPointer, to total: inout UInt64?) throws(ProcessMemoryError) {
        total = (total ?? 0).addingSaturated(try value.kilobytes(path: path, line: lines.lineNumber))
      }
      if let value = line.after("Rss:") {
        try add(value, to: &residentBytes)
        sawResident = true
      } else if let value = line.after("Pss:") {
        try add(value, to: &proportionalBytes)
      } else if let value = line.after("Pss_Anon:") {
        try add(value, to: &proportionalAnonymousBytes)
      } else if let value = line.after("Pss_File:") {
        try add(value, to: &proportionalFileBytes)
      } else if let value = line.after("Pss_Shmem:") {
        try add(value, to: &proportionalSharedBytes)
      } else if let value = line.after("Private_Clean:") {
        try add(value, to: &privateCleanBytes)
      } else if let value = line.after("Private_Dirty:") {
        try add(value, to: &privateDirtyBytes)
      } else if let value = line.after("Anonymous:") {
        try add(value, to: &anonymousBytes)
      } else if let value = line.after("LazyFree:") {
        try add(value, to: &lazyFreeBytes)
      } else if let value = line.after("AnonHugePages:") {
        try add(value, to: &anonymousHugePageBytes)
      } else if let value = line.after("Swap:") {
        try add(value, to: &swappedBytes)
      } else if let value = line.after("SwapPss:") {
        try add(value, to: &proportionalSwappedBytes)
      } else if let value = line.after("Locked:") {
        try add(value, to: &lockedBytes)
      }
    }
    guard sawResident else {
      throw .malformedFile(path: path, line: max(lines.lineNumber, 1), problem: "the file ends without an Rss line")
    }
  }
}
