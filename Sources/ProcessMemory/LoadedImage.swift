/// An executable, a shared library or the vDSO, as it lies in the memory of a process.
public struct LoadedImage: Hashable, Sendable {
  /// The path the process loaded it under (in its own mount namespace), or `[vdso]`.
  public let path: String
  /// The last part of the path.
  public let name: String
  /// Whether the file has been deleted or replaced since.
  public let isDeleted: Bool
  /// The first address.
  public let startAddress: UInt64
  /// The address after the last segment.
  public let endAddress: UInt64
  /// What is added to an address of the file to have one in memory; modulo 2⁶⁴.
  public let loadBias: UInt64
  /// The build-id, read from memory, as lower-case hexadecimal digits; `nil` where the linker gave it none.
  public let buildID: String?
  /// Where the table that leads to unwind information is (`PT_GNU_EH_FRAME`, `.eh_frame_hdr`), in memory.
  public let unwindTableAddress: UInt64?
  /// The end of the first mapping: with `startAddress`, the name of the image in `/proc/PID/map_files`.
  public let firstMappingEnd: UInt64
  /// The number of the file on its device; 0 for the vDSO.
  public let inode: UInt64

  /// Whether it is the code that the kernel puts into every process.
  public var isVDSO: Bool { path == "[vdso]" }

  /// Whether an address is within the image, gaps between its segments included.
  public func contains(_ address: UInt64) -> Bool { startAddress <= address && address < endAddress }

  /// An address in memory as the file counts it.
  public func fileAddress(_ address: UInt64) -> UInt64 { address &- loadBias }

  /// The paths under which this process can open the file, the surest first: by the mapping itself (needs privileges; works for
  /// deleted files and in every mount namespace), as the executable of the process, by path in the process's own root.
  /// All but the first may lead to another file: check the build-id.
  public func openablePaths(of processID: Int32, root: ProcRoot = .live) -> [String] {
    guard !isVDSO else { return [] }
    let range = String(startAddress, radix: 16) + "-" + String(firstMappingEnd, radix: 16)
    var paths = [root.file("map_files/\(range)", of: processID), root.file("exe", of: processID)]
    if !isDeleted { paths.append(root.file("root", of: processID) + path) }
    return paths
  }
}
