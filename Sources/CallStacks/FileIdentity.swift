#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Which file a path leads to.
enum FileIdentity {
  static func inode(_ path: String) -> UInt64? {
    var information = stat()
    return stat(path, &information) == 0 ? UInt64(information.st_ino) : nil
  }
}
