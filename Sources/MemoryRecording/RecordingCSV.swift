import ProcessMemory

/// The CSV form of a recording: RFC 4180 with line feeds, one header, bytes only, an empty cell for what was not read.
public enum RecordingCSV {
  /// The names of the columns, in order.
  public static let columns = [
    "elapsed_s", "unix_s", "pid", "rss_bytes", "rss_anon_bytes", "rss_file_bytes", "rss_shmem_bytes", "swap_bytes",
    "peak_rss_bytes", "footprint_bytes", "minflt", "majflt", "threads",
  ]

  /// The header line, with its line feed.
  public static let header = columns.joined(separator: ",") + "\n"

  /// Appends the row of a sample, with its line feed, to `text`. Nothing is allocated while `text` has room.
  public static func appendRow(_ sample: RecordedSample, to text: inout [UInt8]) {
    appendMilliseconds(sample.elapsed, to: &text)
    text.append(comma)
    appendMilliseconds(sample.unixTime, to: &text)
    text.append(comma)
    appendDecimal(UInt64(max(sample.processID, 0)), to: &text)
    if let usage = sample.usage {
      appendCell(usage.residentBytes, to: &text)
      appendCell(usage.anonymousBytes, to: &text)
      appendCell(usage.fileBytes, to: &text)
      appendCell(usage.sharedBytes, to: &text)
      appendCell(usage.swappedBytes, to: &text)
      appendCell(usage.peakResidentBytes, to: &text)
      appendCell(usage.footprintBytes, to: &text)
      appendCell(usage.minorFaults, to: &text)
      appendCell(usage.majorFaults, to: &text)
      appendCell(usage.threadCount, to: &text)
    } else {
      for _ in 3..<columns.count { text.append(comma) }
    }
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
