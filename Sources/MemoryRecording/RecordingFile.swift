#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A file that rows are added to, each with a system call of its own: what was taken is in the file even if this program
/// is killed the next moment.
public struct RecordingFile: ~Copyable {
  /// Where the file is, as it was given.
  public let path: String
  /// The first failure to write, if any: the rows from then on are not, or not all, in the file.
  public private(set) var failure: RecordingFileError?

  private let form: RecordingCSV
  private let descriptor: Int32
  private var row: [UInt8] = []

  /// Creates the file and writes the header.
  ///
  /// - Parameters:
  ///   - form: the columns.
  ///   - overwriting: whether a file that is there may be replaced.
  public init(
    creatingAt path: String, form: RecordingCSV = RecordingCSV(), overwriting: Bool
  ) throws(RecordingFileError) {
    descriptor = try Self.create(path, header: form.header, overwriting: overwriting)
    self.form = form
    self.path = path
    row.reserveCapacity(512)
  }

  private static func create(_ path: String, header: String, overwriting: Bool) throws(RecordingFileError) -> Int32 {
    // Pipes and devices are written to, not replaced.
    guard overwriting || !isRegularFile(path) else { throw .exists(path: path) }
    let opened = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | O_TRUNC, 0o644)
    guard opened >= 0 else { throw .cannotCreate(path: path, code: errno) }
    let code = writeWhole(Array(header.utf8), to: opened)
    guard code == 0 else {
      close(opened)
      throw .cannotWrite(path: path, code: code)
    }
    return opened
  }

  private static func isRegularFile(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
  }

  deinit { close(descriptor) }

  /// Removes the file again, because there will be nothing to record. A device or a pipe stays.
  public func discard() {
    if Self.isRegularFile(path) { unlink(path) }
  }

  /// Adds a row. A failure (a full disk) is kept in ``failure`` and ends nothing: later rows are tried again.
  public mutating func append(_ sample: RecordedSample) {
    row.removeAll(keepingCapacity: true)
    form.appendRow(sample, to: &row)
    let code = Self.writeWhole(row, to: descriptor)
    if code != 0, failure == nil { failure = .cannotWrite(path: path, code: code) }
  }

  /// Writes all of `row` or, as far as that is possible, none of it: half a row would spoil the one after it.
  ///
  /// - Returns: 0, or the `errno` of what went wrong.
  private static func writeWhole(_ row: [UInt8], to descriptor: Int32) -> Int32 {
    var written = 0
    while written < row.count {
      let count = row.withUnsafeBytes { bytes in
        bytes.baseAddress.map { write(descriptor, $0 + written, bytes.count - written) } ?? 0
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = count < 0 ? errno : EIO
        let size = lseek(descriptor, 0, SEEK_END)
        if written > 0, size >= off_t(written) { _ = ftruncate(descriptor, size - off_t(written)) }
        return code
      }
      written += count
    }
    return 0
  }
}

/// Why a recording is not, or not whole, in its file.
public enum RecordingFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file is there already.
  case exists(path: String)
  /// The file cannot be created; `code` is the system's `errno`.
  case cannotCreate(path: String, code: Int32)
  /// Rows could not be added; `code` is the system's `errno`.
  case cannotWrite(path: String, code: Int32)

  /// What happened, to which file.
  public var description: String {
    switch self {
    case .exists(let path): "\(path) exists already"
    case .cannotCreate(let path, let code): "cannot create \(path): \(message(code))"
    case .cannotWrite(let path, let code): "cannot write to \(path): \(message(code))"
    }
  }

  private func message(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
