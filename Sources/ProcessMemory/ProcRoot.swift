#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Where the kernel's files are: `/proc` and `/sys` of this machine, or a recorded copy of both.
///
/// Every reader of this module takes one, so that what it makes of 64 KiB pages, an old kernel or an odd command name can
/// be tested on recorded trees, and so that a container's `/host/proc` can be read as well.
public struct ProcRoot: Hashable, Sendable {
  /// The folder that stands for `/proc`, without a slash at the end.
  public let path: String
  /// The folder that stands for `/sys`, without a slash at the end.
  public let systemPath: String
  /// Bytes in a page of the machine whose files these are. `statm` counts in pages; nothing assumes 4096.
  public let pageSize: UInt64

  /// The files of another root.
  ///
  /// - Parameters:
  ///   - path: stands for `/proc`.
  ///   - systemPath: stands for `/sys`.
  ///   - pageSize: bytes in a page where the files were recorded; by default this machine's.
  public init(path: String = "/proc", systemPath: String = "/sys", pageSize: UInt64 = ProcRoot.currentPageSize) {
    self.path = path.hasSuffix("/") && path.utf8.count > 1 ? String(path.dropLast()) : path
    self.systemPath = systemPath.hasSuffix("/") ? String(systemPath.dropLast()) : systemPath
    self.pageSize = pageSize
  }

  /// This machine.
  public static let live = ProcRoot()

  /// Bytes in a page of this machine, asked of the system once.
  public static let currentPageSize = UInt64(max(sysconf(Int32(_SC_PAGESIZE)), 1))

  /// Whether pids found here are pids that system calls understand.
  package var isLive: Bool { path == "/proc" }

  package func file(_ name: String, of processID: Int32) -> String { "\(path)/\(processID)/\(name)" }
}
