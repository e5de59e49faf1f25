// Where the debug information of a stripped file is: by build-id, then by debuglink, as GDB looks for it (GDB manual,
// "Debugging Information in Separate Files"). Never over the network.

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

enum SeparateDebugFile {
  /// The first file that really belongs to the image.
  static func find(for handle: ElfHandle, loadedAs name: String, in folders: [String]) -> ElfHandle? {
    let buildID = handle.buildID
    if let buildID, buildID.utf8.count > 2 {
      for folder in folders {
        let path = "\(folder)/.build-id/\(buildID.prefix(2))/\(buildID.dropFirst(2)).debug"
        if let found = try? ElfHandle(path: path), found.buildID == buildID { return found }
      }
    }
    guard let link = handle.debugLink, !link.name.isEmpty, !link.name.contains("/") else { return nil }
    let parent = name.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let places = [parent, parent + "/.debug"] + folders.map { $0 + parent }
    let candidates = places.map { $0 + "/" + link.name }
    for path in candidates where path != handle.path {
      guard let found = try? ElfHandle(path: path) else { continue }
      // A build-id says it for certain, and costs no pass over the file.
      if let buildID, let other = found.buildID {
        if other == buildID { return found }
      } else if checksum(ofFileAt: path) == link.checksum {
        return found
      }
    }
    return nil
  }

  /// The CRC-32 of a file, as debuglinks use it (polynomial 0x04C11DB7, reflected, as in ISO 3309).
  private static func checksum(ofFileAt path: String) -> UInt32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let table: [UInt32] = (0..<256).map { byte in
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
      return value
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var value = UInt32.max
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return ~value }
      for byte in chunk[..<count] { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ (value >> 8) }
    }
  }
}
