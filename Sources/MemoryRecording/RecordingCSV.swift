import ProcessMemory

/// The CSV form of a recording: RFC 4180 with line feeds, one header, bytes only, an empty cell for what was not read.
public struct RecordingCSV: Hashable, Sendable {
  /// Whether there is a column for the number of processes.
  public var hasProcessCount = false
  /// Whether there are columns for what is read now and then: shares, private and given up pages.
  public var hasDetails = false

  /// Whether there is a column for the live bytes of the heap.
  public var hasHeap = false

  /// The columns that every recording has.
  public static let columns = [
    "elapsed_s", "unix_s", "pid", "rss_bytes", "rss_anon_bytes", "rss_file_bytes", "rss_shmem_bytes", "swap_bytes",
    "peak_rss_bytes", "footprint_bytes", "minflt", "majflt", "threads",
  ]

  private static let detailColumns = [
    "pss_bytes", "uss_bytes", "private_dirty_bytes", "lazyfree_bytes", "anon_huge_bytes", "swap_pss_bytes",
  ]

  /// The form with the columns of a plain recording, and more where they are asked for.
  public init(hasProcessCount: Bool = false, hasDetails: Bool = false, hasHeap: Bool = false) {
    self.hasProcessCount = hasProcessCount
    self.hasDetails = hasDetails
    self.hasHeap = hasHeap
  }

  /// The names of the columns, in order.
  public var columns: [String] {
    Self.columns + (hasProcessCount ? ["processes"] : []) + (hasDetails ? Self.detailColumns : [])
      + (hasHeap ? ["heap_used_bytes"] : [])
  }

  /// The header line, with its line feed.
  public var header: String { columns.joined(separator: ",") + "\n" }

  /// Appends the row of a sample, with its line feed, to `text`. Nothing is allocated while `text` has room.
  public func appendRow(_ sample: RecordedSample, to text: inout [UInt8]) {
    Self.appendMilliseconds(sample.elapsed, to: &text)
    text.append(Self.comma)
    Self.appendMilliseconds(sample.unixTime, to: &text)
    Self.appendCell(UInt64(max(sample.processID, 0)), to: &text)
    let usage = sample.reading?.usage
    Self.appendCell(usage?.residentBytes, to: &text)
    Self.appendCell(usage?.anonymousBytes, to: &text)
    Self.appendCell(usage?.fileBytes, to: &text)
    Self.appendCell(usage?.sharedBytes, to: &text)
    Self.appendCell(usage?.swappedBytes, to: &text)
    Self.appendCell(usage?.peakResidentBytes, to: &text)
    Self.appendCell(sample.reading?.footprintBytes, to: &text)
    Self.appendCell(usage?.minorFaults, to: &text)
    Self.appendCell(usage?.majorFaults, to: &text)
    Self.appendCell(usage?.threadCount, to: &text)
    if hasProcessCount { Self.appendCell(sample.reading.map { UInt64(max($0.processCount, 0)) }, to: &text) }
    if hasDetails {
      Self.appendCell(sample.details?.proportionalBytes, to: &text)
      Self.appendCell(sample.details?.uniqueBytes, to: &text)
      Self.appendCell(sample.details?.privateDirtyBytes, to: &text)
      Self.appendCell(sample.details?.lazyFreeBytes, to: &text)
      Self.appendCell(sample.details?.anonymousHugePageBytes, to: &text)
      Self.appendCell(sample.details?.proportionalSwappedBytes, to: &text)
    }
    if hasHeap { Self.appendCell(sample.heapBytes, to: &text) }
    text.append(0x0A)
  }

  private static let comma = UInt8(ascii: ",")

  private static func appendCell(_ value: UInt64?, to text: inout [UInt8]) {
    text.append(comma)
    if let value { appendDecimal(value, to: &text) }
  }

  private static func appendMilliseconds(_ seconds: Double, to text: inout [UInt8]) {
    let milliseconds = (max(seconds, 0) * 1000).rounded()
    guard milliseconds < 9e18 else { return }
    let whole = UInt64(milliseconds)
    appendDecimal(whole / 1000, to: &text)
    text.append(UInt8(ascii: "."))
    let fraction = whole % 1000
    for unit in [100, 10, 1] as [UInt64] { text.append(UInt8(ascii: "0") + UInt8(fraction / unit % 10)) }
  }

  private static func appendDecimal(_ value: UInt64, to text: inout [UInt8]) {
    let start = text.count
    var rest = value
    repeat {
      text.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    text[start...].reverse()
  }
}
