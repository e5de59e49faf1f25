import MeasurementText
import TrendAnalysis

/// Which figure of a process is meant.
public enum MemoryMetric: String, Codable, Sendable, CaseIterable {
  /// Anonymous + shared + swapped: the process's own memory.
  case footprint
  /// Resident set size.
  case rss
  /// Proportional set size.
  case pss
  /// Live bytes of the heap.
  case heap
}

/// One figure over time, read from a file that this or another tool wrote.
public struct RecordedSeries: Sendable {
  /// Whose file it is.
  public enum Format: String, Codable, Sendable {
    /// leak-trend's CSV.
    case leakTrend = "leak-trend CSV"
    /// prmon's table: tabs, times since 1970, kB.
    case prmon = "prmon table"
    /// psrecord's log or CSV: MB of 2²⁰ bytes.
    case psrecord = "psrecord log"
    /// mprof's `.dat`: `MEM` lines, MB of 2²⁰ bytes.
    case mprof = "mprof recording"
    /// A column of times and one of amounts.
    case twoColumns = "table of two columns"
  }

  /// The samples, in the order of the file.
  public var samples: [TrendSample] = []
  /// Whose file it is.
  public var format: Format
  /// What was taken for what, for people: `"elapsed_s as seconds, footprint_bytes as bytes"`.
  public var interpretation: String
  /// The figure that the samples are, as far as the file says.
  public var metric: MemoryMetric?
  /// Times at which the process became another one (its pid changes).
  public var discontinuities: [Double] = []
  /// Rows without a figure: moments at which nothing could be read.
  public var emptyRowCount = 0
  /// Rows that could not be understood.
  public var malformedRowCount = 0
  /// The first of those, counted from 1.
  public var firstMalformedLine: Int?
}

/// Why a file is no recording.
public enum SeriesFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It cannot be read; the text is the system's.
  case unreadable(path: String, reason: String)
  /// It is in none of the forms that are known.
  case unknownFormat(path: String, line: String)
  /// It has no column for the figure that was asked for.
  case missingMetric(path: String, metric: MemoryMetric, columns: [String])
  /// It has the columns, and no row that could be read.
  case noRows(path: String)

  /// What is wrong with which file.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
    case .unknownFormat(let path, let line):
      "\(path) is no recording that is known (leak-trend, prmon, psrecord, mprof, or two columns: time and bytes);"
        + " it begins with '\(LineText.bounded(line, limit: 40))'"
    case .missingMetric(let path, let metric, let columns):
      "\(path) has no column for \(metric.rawValue); its columns are \(columns.joined(separator: ", "))"
    case .noRows(let path): "\(path) has no row that can be read"
    }
  }
}
