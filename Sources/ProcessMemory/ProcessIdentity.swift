#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Which process it is. A pid alone does not say: pids are used again. A pid **and** a start time do.
public struct ProcessIdentity: Codable, Hashable, Sendable {
  /// The pid.
  public let processID: Int32
  /// When it began, in clock ticks (100 a second on every current kernel) since the machine started: field 22 of `stat`.
  public let startTime: UInt64
  /// The kernel's short name, at most 15 bytes, which the program may change.
  public let name: String
  /// Its arguments, the program's own name first; empty for a zombie or a kernel thread. The program may have overwritten them.
  public let commandLine: [String]
  /// The program's file, or `nil` where that may not be read (another user's process).
  public let executable: String?
  /// Whether the program's file has been deleted or replaced since the process began.
  public let executableIsDeleted: Bool
  /// The build-id the linker gave the program's file, as lower-case hexadecimal digits; `nil` where the file may not be
  /// read or has none.
  public let buildID: String?
  /// The real user id it runs under.
  public let userID: UInt32?

  /// The pid of this process.
  public static var currentProcessID: Int32 { getpid() }

  /// This process.
  public static func current() throws(ProcessMemoryError) -> ProcessIdentity { try of(currentProcessID) }

  /// A process. Costs some 60 µs.
  ///
  /// - Throws: ``ProcessMemoryError``: no such process, or a malformed file. What a process only hides from other users
  ///   (executable, build-id) is `nil` and no error.
  public static func of(_ processID: Int32, root: ProcRoot = .live) throws(ProcessMemoryError) -> ProcessIdentity {
    var buffer = ReadBuffer()
    try readFile("stat", of: processID, root: root, into: &buffer)
    let stat = try StatFile(buffer.contents, path: root.file("stat", of: processID))
    let name = commandName(buffer.contents)
    try readFile("status", of: processID, root: root, into: &buffer)
    let status = try StatusFile(buffer.contents, path: root.file("status", of: processID))
    let commandLine =
      (try? readFile("cmdline", of: processID, root: root, into: &buffer)) == nil ? [] : arguments(buffer.contents)
    let link = try? readLink(root.file("exe", of: processID))
    let (executable, isDeleted) = link.map(FileName.splittingDeletedMark) ?? (nil, false)
    return ProcessIdentity(
      processID: processID, startTime: stat.startTime, name: name, commandLine: commandLine, executable: executable,
      executableIsDeleted: isDeleted,
      // Through the link, not the name: it leads to the file that runs, deleted or in another mount namespace as it may be.
      buildID: link == nil ? nil : ElfBuildID.read(fromFileAt: root.file("exe", of: processID)),
      userID: status.userID.flatMap(UInt32.init(exactly:)))
  }

  /// The command of `stat`, between the first opening and the last closing parenthesis.
  private static func commandName(_ stat: UnsafeRawBufferPointer) -> String {
    guard let start = stat.firstIndex(of: UInt8(ascii: "(")), let end = stat.lastIndex(of: UInt8(ascii: ")")),
      start < end
    else { return "" }
    return String(decoding: stat[(start + 1)..<end], as: UTF8.self)
  }

  /// Arguments are separated by zero bytes. Programs that overwrite them (`setproctitle`) leave zeros at the end.
  private static func arguments(_ bytes: UnsafeRawBufferPointer) -> [String] {
    var end = bytes.count
    // One zero ends the last argument and is not an argument; a further one may be an empty argument, or padding.
    if end > 0, bytes[end - 1] == 0 { end -= 1 }
    guard end > 0 else { return [] }
    return UnsafeRawBufferPointer(rebasing: bytes[..<end]).split(separator: 0, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Names of files as the kernel writes them in `exe` links and in `maps`.
enum FileName {
  /// The kernel appends ` (deleted)` to the name of a file that is gone.
  static func splittingDeletedMark(_ name: String) -> (name: String, isDeleted: Bool) {
    let mark = " (deleted)"
    return name.hasSuffix(mark) ? (String(name.dropLast(mark.count)), true) : (name, false)
  }
}
