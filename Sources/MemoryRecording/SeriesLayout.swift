// What the first lines of a file say about the rest: who wrote it, which column is what, in which unit.

/// Where a row's time and amount are, and what they have to be multiplied with.
struct SeriesLayout {
  enum Separator {
    /// One given byte; empty cells count.
    case byte(UInt8)
    /// Any run of blanks.
    case blanks
    /// mprof's own rows: a word, an amount, a time.
    case mprof
  }

  var format: RecordedSeries.Format
  var separator: Separator
  var timeColumn: Int
  var amountColumn: Int
  var processColumn: Int?
  /// Seconds in the unit of the time column.
  var secondsPerUnit = 1.0
  /// Bytes in the unit of the amount column.
  var bytesPerUnit = 1.0
  var metric: MemoryMetric?
  var interpretation: String
  /// Whether the first line is a header, and not a row.
  var hasHeader: Bool

  private static let mebibyte = 1_048_576.0

  /// Recognises a file by its first line.
  ///
  /// - Parameters:
  ///   - line: the first line that is not empty.
  ///   - metric: the figure that is wanted; `nil` for the best one there is.
  static func recognise(
    _ line: String, path: String, metric: MemoryMetric?
  ) throws(SeriesFileError) -> SeriesLayout {
    if line.hasPrefix("MEM ") || line.hasPrefix("CMDLINE ") || line.hasPrefix("FUNC ") {
      try require(metric, among: [.rss], ["MEM (rss)"], path)
      return SeriesLayout(
        format: .mprof, separator: .mprof, timeColumn: 2, amountColumn: 1, bytesPerUnit: mebibyte, metric: .rss,
        interpretation: "MEM lines as resident size in MiB, their times as seconds since 1970", hasHeader: false)
    }
    if line.hasPrefix("#"), line.contains("Real (MB)") {
      try require(metric, among: [.rss], ["Real (MB)"], path)
      return SeriesLayout(
        format: .psrecord, separator: .blanks, timeColumn: 0, amountColumn: 2, bytesPerUnit: mebibyte, metric: .rss,
        interpretation: "Elapsed time as seconds, Real (MB) as resident size in MiB", hasHeader: true)
    }
    let separator = self.separator(of: line)
    let names = cells(line, separator)
    if names.contains("Time"), names.contains("rss"), names.contains("pss") { return try prmon(names, path, metric) }
    if names.contains("elapsed_time"), let real = names.firstIndex(of: "mem_real") {
      try require(metric, among: [.rss], ["mem_real"], path)
      return SeriesLayout(
        format: .psrecord, separator: separator, timeColumn: names.firstIndex(of: "elapsed_time") ?? 0,
        amountColumn: real, bytesPerUnit: mebibyte, metric: .rss,
        interpretation: "elapsed_time as seconds, mem_real as resident size in MiB", hasHeader: true)
    }
    if let time = names.firstIndex(of: "elapsed_s"), names.count > 2 {
      return try ownTable(names, time, separator, path, metric)
    }
    return try twoColumns(line, names, separator, path, metric)
  }

  // MARK: - The formats with several figures

  private static func ownTable(
    _ names: [String], _ time: Int, _ separator: Separator, _ path: String, _ metric: MemoryMetric?
  ) throws(SeriesFileError) -> SeriesLayout {
    let candidates: [(MemoryMetric, String)] = [
      (.footprint, "footprint_bytes"), (.rss, "rss_bytes"), (.pss, "pss_bytes"), (.heap, "heap_bytes"),
      (.heap, "heap_used_bytes"),
    ]
    let found = candidates.first { (metric == nil || $0.0 == metric) && names.contains($0.1) }
    guard let found, let amount = names.firstIndex(of: found.1) else {
      throw .missingMetric(path: path, metric: metric ?? .footprint, columns: names)
    }
    return SeriesLayout(
      format: .leakTrend, separator: separator, timeColumn: time, amountColumn: amount,
      processColumn: names.firstIndex(of: "pid"), metric: found.0,
      interpretation: "elapsed_s as seconds, \(found.1) as bytes", hasHeader: true)
  }

  private static func prmon(
    _ names: [String], _ path: String, _ metric: MemoryMetric?
  ) throws(SeriesFileError) -> SeriesLayout {
    // prmon adds up a process tree, where resident sizes count shared pages once a process: its pss is the better one.
    try require(metric, among: [.pss, .rss], names, path)
    let name = metric == .rss ? "rss" : "pss"
    return SeriesLayout(
      format: .prmon, separator: .byte(0x09), timeColumn: names.firstIndex(of: "Time") ?? 0,
      amountColumn: names.firstIndex(of: name) ?? 0, bytesPerUnit: 1024, metric: name == "rss" ? .rss : .pss,
      interpretation: "Time as seconds since 1970, \(name) as kB", hasHeader: true)
  }

  private static func require(
    _ metric: MemoryMetric?, among offered: [MemoryMetric], _ columns: [String], _ path: String
  ) throws(SeriesFileError) {
    if let metric, !offered.contains(metric) {
      throw .missingMetric(path: path, metric: metric, columns: columns)
    }
  }

  // MARK: - Two columns

  private static func twoColumns(
    _ line: String, _ names: [String], _ separator: Separator, _ path: String, _ metric: MemoryMetric?
  ) throws(SeriesFileError) -> SeriesLayout {
    guard names.count == 2 else { throw .unknownFormat(path: path, line: String(line.prefix(60))) }
    let numbers = names.map { Double($0) }
    if numbers[0] != nil, numbers[1] != nil {
      return SeriesLayout(
        format: .twoColumns, separator: separator, timeColumn: 0, amountColumn: 1, secondsPerUnit: 1,
        bytesPerUnit: 1, metric: metric, interpretation: "the first column as seconds, the second as bytes",
        hasHeader: false)
    }
    guard numbers[0] == nil, numbers[1] == nil, names.allSatisfy({ !$0.isEmpty }) else {
      throw .unknownFormat(path: path, line: String(line.prefix(60)))
    }
    let time = timeUnit(of: names[0])
    let amount = amountUnit(of: names[1])
    return SeriesLayout(
      format: .twoColumns, separator: separator, timeColumn: 0, amountColumn: 1, secondsPerUnit: time.seconds,
      bytesPerUnit: amount.bytes, metric: metric,
      interpretation: "\(names[0]) as \(time.name), \(names[1]) as \(amount.name)", hasHeader: true)
  }

  private static func timeUnit(of name: String) -> (seconds: Double, name: String) {
    switch words(name).last {
    case "ms", "millis", "milliseconds": (0.001, "milliseconds")
    case "us", "micros", "microseconds": (1e-6, "microseconds")
    case "ns", "nanoseconds": (1e-9, "nanoseconds")
    case "min", "minutes": (60, "minutes")
    case "h", "hours": (3600, "hours")
    default: (1, "seconds")
    }
  }

  private static func amountUnit(of name: String) -> (bytes: Double, name: String) {
    switch words(name).last {
    // The kernel's files and ps write kB for 1024 bytes, and so does everyone who copies from them.
    case "kb", "kib", "k": (1024, "kB of 1024 bytes")
    case "mb", "mib", "m": (mebibyte, "MB of 1024 x 1024 bytes")
    case "gb", "gib", "g": (1024 * mebibyte, "GB of 1024 x 1024 x 1024 bytes")
    case "pages": (4096, "pages of 4096 bytes")
    default: (1, "bytes")
    }
  }

  private static func words(_ name: String) -> [String] {
    name.lowercased().split { !$0.isLetter }.map(String.init)
  }

  // MARK: - Cells

  private static func separator(of line: String) -> Separator {
    for byte in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] where line.utf8.contains(byte) { return .byte(byte) }
    return .blanks
  }

  private static func cells(_ line: String, _ separator: Separator) -> [String] {
    switch separator {
    case .byte(let byte):
      line.utf8.split(separator: byte, omittingEmptySubsequences: false).map { trimmed(String(Substring($0))) }
    case .blanks, .mprof: line.split { $0 == " " || $0 == "\t" }.map(String.init)
    }
  }

  private static func trimmed(_ cell: String) -> String {
    var cell = cell[...]
    while let last = cell.last, last == "\r" || last == " " || last == "\"" || last == "\r\n" { cell.removeLast() }
    while let first = cell.first, first == " " || first == "\"" || first == "\u{FEFF}" { cell.removeFirst() }
    return String(cell)
  }
}
