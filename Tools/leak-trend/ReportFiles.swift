// The files that a report is written to: looked at before the run begins, so that half an hour is not spent for nothing,
// and written whole or not at all.

import FoundationEssentials
import ToolSupport
import TrendReporting

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Where a report goes besides standard error.
struct ReportFiles {
  private let jsonPath: String?
  private let svgPath: String?

  /// Looks whether the files can be written.
  init(_ options: JudgeOptions) throws(ToolFailure) {
    jsonPath = options.jsonPath
    svgPath = options.svgPath
    for (name, path) in [("json", jsonPath), ("svg", svgPath)] {
      if let path { try Self.check(path, option: name, overwrites: options.overwrites) }
    }
  }

  /// Writes the files. What cannot be written is said on standard error and returned as a warning; nothing else is lost.
  func write(_ report: inout TrendReport, _ series: ChartSeries) {
    if let svgPath { write(TrendPicture(report, series: series).svg(), to: svgPath, &report) }
    guard let jsonPath else { return }
    // The report names itself among the files it was written to.
    report.files.append(jsonPath)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
    do {
      let text = String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
      report.files.removeLast()
      write(text, to: jsonPath, &report)
    } catch {
      report.warnings.append("the report could not be written as JSON: \(error)")
    }
  }

  private func write(_ text: String, to path: String, _ report: inout TrendReport) {
    let isDevice = Self.kind(of: path).map { $0 != S_IFREG } ?? false
    // A name of its own first, then the right one in one step: a reader never sees half a file.
    let temporary = isDevice ? path : path + ".\(getpid()).part"
    let code = Self.create(temporary, text)
    guard code == 0, isDevice || rename(temporary, path) == 0 else {
      report.warnings.append("cannot write \(path): \(String(cString: strerror(code == 0 ? errno : code)))")
      if !isDevice { unlink(temporary) }
      return
    }
    report.files.append(path)
  }

  /// 0, or the errno of what went wrong.
  private static func create(_ path: String, _ text: String) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        raw.baseAddress.map { Glibc.write(descriptor, $0 + written, raw.count - written) } ?? 0
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      written += count
    }
    return 0
  }

  private static func check(_ path: String, option: String, overwrites: Bool) throws(ToolFailure) {
    guard let kind = kind(of: path) else {
      let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      let parent = path.contains("/") ? (folder.isEmpty ? "/" : folder) : "."
      guard access(parent, W_OK | X_OK) == 0 else {
        throw ToolFailure(.usage, "--\(option): cannot create \(path): \(String(cString: strerror(errno)))")
      }
      return
    }
    guard kind != S_IFDIR else { throw ToolFailure(.usage, "--\(option): \(path) is a folder") }
    if kind == S_IFREG, !overwrites {
      throw ToolFailure(.usage, "--\(option): \(path) exists already; --force replaces it")
    }
    guard access(path, W_OK) == 0 else {
      throw ToolFailure(.usage, "--\(option): cannot write \(path): \(String(cString: strerror(errno)))")
    }
  }

  private static func kind(of path: String) -> mode_t? {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_mode & S_IFMT : nil
  }
}
