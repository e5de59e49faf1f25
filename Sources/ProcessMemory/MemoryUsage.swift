/// How much memory a process uses at one moment, as the kernel accounts for it. All amounts are bytes.
///
/// Read from `/proc/PID/status` (the `Vm` and `Rss` lines) and `/proc/PID/stat` (the fault counters). `status` sums the
/// kernel's per-CPU counters exactly since kernel 6.16 or so; before, it may lag by some pages a CPU. The resident size in
/// `stat` (its field 24) is an estimate everywhere and is never used.
public struct MemoryUsage: Codable, Hashable, Sendable {
  /// Pages in physical memory: `VmRSS`, the sum of anonymous, file and shared.
  public var residentBytes: UInt64
  /// Resident pages of no file: heaps, stacks, private copies of written file pages (`RssAnon`).
  public var anonymousBytes: UInt64
  /// Resident pages of files: code, mapped data (`RssFile`). The kernel can drop them and read them again.
  public var fileBytes: UInt64
  /// Resident pages of shared memory: tmpfs, System V and POSIX segments, shared anonymous mappings (`RssShmem`).
  public var sharedBytes: UInt64
  /// Anonymous pages that were moved out to swap (`VmSwap`).
  public var swappedBytes: UInt64
  /// The largest resident size since the program was executed (`VmHWM`); `nil` where the kernel does not keep it (gVisor).
  public var peakResidentBytes: UInt64?
  /// Address space that is mapped, whether or not memory stands behind it (`VmSize`).
  public var virtualBytes: UInt64
  /// Threads that exist.
  public var threadCount: UInt64
  /// Page faults that needed no reading from a disk, since the process began.
  public var minorFaults: UInt64
  /// Page faults that waited for a disk, since the process began.
  public var majorFaults: UInt64
  /// Where the division into anonymous, file and shared comes from.
  public var division: Division

  /// Where the division of the resident size comes from.
  public enum Division: String, Codable, Sendable {
    /// The kernel counts each kind.
    case counted
    /// The kernel gives only a total (before 4.5, and gVisor): file and shared pages are told apart from anonymous ones
    /// by `statm`, and everything shared stands as file.
    case estimated
  }

  /// What the process would have to give back for the machine to be as if it had never used memory of its own:
  /// anonymous + shared + swapped, in bytes.
  ///
  /// File pages are left out, because the kernel drops them without asking; swapped ones are in, because being moved out
  /// is not being freed: the resident size of a leaking process falls while it swaps, its footprint does not. Shared
  /// memory counts whole in each process that touches it. This is what leak-trend judges.
  public var footprintBytes: UInt64 {
    anonymousBytes.addingSaturated(sharedBytes).addingSaturated(swappedBytes)
  }

  /// The sum over several processes. Pages that they share count once for each of them; a peak that one of them does not
  /// have makes the sum have none, and peaks at different times add up to more than there ever was.
  public static func + (left: MemoryUsage, right: MemoryUsage) -> MemoryUsage {
    var sum = left
    sum.residentBytes = left.residentBytes.addingSaturated(right.residentBytes)
    sum.anonymousBytes = left.anonymousBytes.addingSaturated(right.anonymousBytes)
    sum.fileBytes = left.fileBytes.addingSaturated(right.fileBytes)
    sum.sharedBytes = left.sharedBytes.addingSaturated(right.sharedBytes)
    sum.swappedBytes = left.swappedBytes.addingSaturated(right.swappedBytes)
    if let leftPeak = left.peakResidentBytes, let rightPeak = right.peakResidentBytes {
      sum.peakResidentBytes = leftPeak.addingSaturated(rightPeak)
    } else {
      sum.peakResidentBytes = nil
    }
    sum.virtualBytes = left.virtualBytes.addingSaturated(right.virtualBytes)
    sum.threadCount = left.threadCount.addingSaturated(right.threadCount)
    sum.minorFaults = left.minorFaults.addingSaturated(right.minorFaults)
    sum.majorFaults = left.majorFaults.addingSaturated(right.majorFaults)
    if right.division == .estimated { sum.division = .estimated }
    return sum
  }

  /// This process, now.
  ///
  /// Costs some 20 µs; hold a ``MemorySampler`` to read often.
  public static func current() throws(ProcessMemoryError) -> MemoryUsage {
    try of(ProcessIdentity.currentProcessID)
  }

  /// A process, now.
  ///
  /// - Throws: ``ProcessMemoryError``: no such process, ended (a zombie has no memory), a kernel thread, not permitted,
  ///   or a malformed file.
  public static func of(
    _ processID: Int32, root: ProcRoot = .live
  ) throws(ProcessMemoryError) -> MemoryUsage {
    var sampler = try MemorySampler(processID: processID, root: root)
    return try sampler.sample()
  }
}

extension UInt64 {
  /// The sum, or the largest value where it does not fit: for totals of figures that come from outside.
  package func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflowed) = addingReportingOverflow(other)
    return overflowed ? .max : sum
  }

  /// The difference, or zero where it would be negative.
  package func subtractingSaturated(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
