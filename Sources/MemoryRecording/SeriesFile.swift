import ProcessMemory
import TrendAnalysis

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Reads recordings: leak-trend's own, and what people already have from prmon, psrecord and mprof.
public enum SeriesFile {
  /// Reads one figure from a file, in one pass; 16 bytes a row stay.
  ///
  /// A row that cannot be understood (the last one of a program that was killed, say) is left out and counted.
  ///
  /// - Parameters:
  ///   - path: the file; `-` for standard input.
  ///   - metric: the figure that is wanted; `nil` for the one that suits the verdict best of those there are.
  public static func read(_ path: String, metric: MemoryMetric? = nil) throws(SeriesFileError) -> RecordedSeries {
    let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, reason: systemText(errno)) }
    defer { close(descriptor) }
    var reader = SeriesReader(path: path, metric: metric)
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var kept = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { bytes in
        bytes.baseAddress.map { readBytes(descriptor, $0 + kept, bytes.count - kept) } ?? 0
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(path: path, reason: systemText(errno)) }
      let filled = kept + count
      let used = try reader.take(buffer, upTo: filled, isEnd: count == 0)
      if count == 0 { return try reader.finish() }
      kept = filled - used
      buffer.withUnsafeMutableBytes { bytes in
        if let base = bytes.baseAddress { memmove(base, base + used, kept) }
      }
      // A line longer than the buffer: no recording has one, and a file that is none is said to be so soon enough.
      if kept == buffer.count { buffer.append(contentsOf: repeatElement(0, count: buffer.count)) }
      if buffer.count > 64 << 20 { throw .unknownFormat(path: path, line: "a line of more than 32 MiB") }
    }
  }

  private static func systemText(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

/// `read(2)`, under a name that a method called `read` does not hide.
private func readBytes(_ descriptor: Int32, _ room: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, room, count)
}

/// Turns lines into samples, once the first line has said what they are.
private struct SeriesReader {
  private let path: String
  private let metric: MemoryMetric?
  private var layout: SeriesLayout?
  private var series: RecordedSeries?
  private var lineNumber = 0
  private var processID: Double?
  private var firstTime: Double?

  init(path: String, metric: MemoryMetric?) {
    self.path = path
    self.metric = metric
  }

  /// Takes the whole lines of `buffer`, and the last one without its end when nothing follows. Returns the bytes used.
  mutating func take(_ buffer: [UInt8], upTo end: Int, isEnd: Bool) throws(SeriesFileError) -> Int {
    var position = 0
    while position < end {
      let found = buffer.withUnsafeBytes { bytes in
        bytes.baseAddress.flatMap { base in
          memchr(base + position, 0x0A, end - position).map { UnsafeRawPointer($0) - base }
        }
      }
      guard let lineEnd = found ?? (isEnd ? end : nil) else { return position }
      lineNumber += 1
      // A last line without a line feed was cut off in the middle; a number in it may have lost its last digits.
      let isCut = found == nil
      try takeLine(buffer, position..<lineEnd, isCut: isCut)
      position = min(lineEnd + 1, end)
    }
    return position
  }

  private mutating func takeLine(_ buffer: [UInt8], _ range: Range<Int>, isCut: Bool) throws(SeriesFileError) {
    guard !range.isEmpty, buffer[range] != [0x0D] else { return }
    guard let layout else {
      let line = String(decoding: buffer[range].prefix(4096), as: UTF8.self)
      let layout = try SeriesLayout.recognise(line, path: path, metric: metric)
      self.layout = layout
      series = RecordedSeries(format: layout.format, interpretation: layout.interpretation, metric: layout.metric)
      if !layout.hasHeader { takeRow(buffer, range, layout, isCut: isCut) }
      return
    }
    takeRow(buffer, range, layout, isCut: isCut)
  }

  private mutating func takeRow(_ buffer: [UInt8], _ range: Range<Int>, _ layout: SeriesLayout, isCut: Bool) {
    let row = buffer.withUnsafeBytes { bytes in
      Row(UnsafeRawBufferPointer(rebasing: bytes[range]), layout)
    }
    switch row.content {
    case .other: return
    case .empty: series?.emptyRowCount += 1
    case .malformed: noteMalformed()
    case .sample where isCut: noteMalformed()
    case .sample(let time, let amount):
      let seconds = time * layout.secondsPerUnit
      let first = firstTime ?? seconds
      firstTime = first
      // Times since 1970 count from the first one: a verdict speaks of minutes into the run.
      let elapsed = first >= 1e8 ? seconds - first : seconds
      series?.samples.append(TrendSample(elapsed: elapsed, bytes: amount * layout.bytesPerUnit))
      if let id = row.processID {
        if let before = processID, before != id { series?.discontinuities.append(elapsed) }
        processID = id
      }
    }
  }

  private mutating func noteMalformed() {
    series?.malformedRowCount += 1
    if series?.firstMalformedLine == nil { series?.firstMalformedLine = lineNumber }
  }

  func finish() throws(SeriesFileError) -> RecordedSeries {
    guard let series else { throw .unknownFormat(path: path, line: "") }
    guard !series.samples.isEmpty || series.emptyRowCount > 0 else { throw .noRows(path: path) }
    return series
  }
}

/// One row, taken apart without copies.
private struct Row {
  enum Content {
    case sample(time: Double, amount: Double)
    case empty
    case malformed
    /// A line that is no row, in a format that has others.
    case other
  }

  private(set) var content = Content.malformed
  private(set) var processID: Double?

  init(_ line: UnsafeRawBufferPointer, _ layout: SeriesLayout) {
    var scanner = ByteScanner(line)
    var time: Double?
    var amount: Double?
    var amountIsEmpty = false
    let last = max(layout.timeColumn, layout.amountColumn, layout.processColumn ?? 0)
    if case .mprof = layout.separator, !line.starts(with: [0x4D, 0x45, 0x4D, 0x20]) {
      content = .other
      return
    }
    for column in 0...last {
      if scanner.isAtEnd, column > 0 {
        // `12,` has an amount, an empty one; `12` has none.
        if case .byte(let byte) = layout.separator, column == layout.amountColumn { amountIsEmpty = line.last == byte }
        break
      }
      let cell = Self.takeCell(&scanner, layout.separator)
      if column == layout.timeColumn { time = Self.number(cell) }
      if column == layout.processColumn { processID = Self.number(cell) }
      if column == layout.amountColumn {
        amount = Self.number(cell)
        amountIsEmpty = cell.isEmpty
      }
    }
    guard let time else { return }
    if let amount, amount >= 0 {
      content = .sample(time: time, amount: amount)
    } else if amountIsEmpty {
      content = .empty
    }
  }

  private static func takeCell(
    _ scanner: inout ByteScanner, _ separator: SeriesLayout.Separator
  ) -> UnsafeRawBufferPointer {
    switch separator {
    case .byte(let byte): return trimmed(scanner.take(upTo: byte))
    case .blanks, .mprof:
      scanner.skipBlanks()
      return trimmed(scanner.take(upTo: 0x20))
    }
  }

  /// Without blanks, quotation marks and a carriage return around it.
  private static func trimmed(_ cell: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    func isPadding(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x22 }
    guard let first = cell.firstIndex(where: { !isPadding($0) }), let last = cell.lastIndex(where: { !isPadding($0) })
    else { return UnsafeRawBufferPointer(rebasing: cell[..<cell.startIndex]) }
    return UnsafeRawBufferPointer(rebasing: cell[first...last])
  }

  /// A finite number; `nil` for anything else, "NaN" and "inf" included.
  ///
  /// Up to fifteen digits and a point are exact in one division, since both sides are; the rest is the library's.
  private static func number(_ cell: UnsafeRawBufferPointer) -> Double? {
    var digits: Int64 = 0
    var count = 0
    var decimals: Int?
    for byte in cell {
      switch byte {
      case 0x30...0x39 where count < 15:
        digits = digits * 10 + Int64(byte - 0x30)
        count += 1
        if let places = decimals { decimals = places + 1 }
      case 0x2E where decimals == nil: decimals = 0
      default:
        let value = Double(String(decoding: cell, as: UTF8.self))
        return value.flatMap { $0.isFinite ? $0 : nil }
      }
    }
    guard count > 0 else { return nil }
    return Double(digits) / powersOfTen[decimals ?? 0]
  }

  private static let powersOfTen: [Double] = (0...15).map { place in (0..<place).reduce(1.0) { value, _ in value * 10 }
  }
}
