#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// What about the machine, and the container, decides how memory figures of a process read. All amounts are bytes.
///
/// A fact that the machine does not tell is `nil`, never zero.
public struct HostMemoryFacts: Codable, Hashable, Sendable {
  /// Bytes in a page.
  public let pageSize: UInt64
  /// Processors that are online, as the kernel lists them.
  public let processorCount: Int?
  /// Release of the kernel, as `uname -r` prints it.
  public let kernelRelease: String?
  /// When anonymous memory becomes huge pages: `always`, `madvise` or `never`. Under `always`, resident size can grow
  /// without an allocation, since the kernel fills holes.
  public let transparentHugePages: String?
  /// Memory of the machine (`MemTotal`).
  public let totalBytes: UInt64?
  /// What could be given to programs without swapping (`MemAvailable`).
  public let availableBytes: UInt64?
  /// Swap of the machine; 0 where it has none.
  public let swapTotalBytes: UInt64?
  /// The memory control group of the process, where it is in one.
  public let controlGroup: ControlGroupMemory?

  /// Reads the facts, and the control group of a process. Costs some 0.2 ms.
  ///
  /// - Parameter processID: whose control group is wanted; by default this process's.
  public static func read(
    for processID: Int32 = ProcessIdentity.currentProcessID, root: ProcRoot = .live
  ) -> HostMemoryFacts {
    let memory = memoryInformation(root)
    return HostMemoryFacts(
      pageSize: root.pageSize,
      processorCount: readSmallFile("\(root.systemPath)/devices/system/cpu/online").flatMap(countOfList),
      kernelRelease: readSmallFile("\(root.path)/sys/kernel/osrelease"),
      transparentHugePages: readSmallFile("\(root.systemPath)/kernel/mm/transparent_hugepage/enabled")
        .flatMap(bracketedWord),
      totalBytes: memory.total, availableBytes: memory.available, swapTotalBytes: memory.swap,
      controlGroup: ControlGroupMemory.of(processID, root: root))
  }

  private static func memoryInformation(_ root: ProcRoot) -> (total: UInt64?, available: UInt64?, swap: UInt64?) {
    let path = "\(root.path)/meminfo"
    var buffer = ReadBuffer()
    guard let file = try? KernelFile(path: path), (try? file.readAll(into: &buffer)) != nil else {
      return (nil, nil, nil)
    }
    var found: (total: UInt64?, available: UInt64?, swap: UInt64?) = (nil, nil, nil)
    var lines = LineScanner(buffer.contents)
    while let line = lines.next() {
      if let value = line.after("MemTotal:") {
        found.total = try? value.kilobytes(path: path, line: lines.lineNumber)
      } else if let value = line.after("MemAvailable:") {
        found.available = try? value.kilobytes(path: path, line: lines.lineNumber)
      } else if let value = line.after("SwapTotal:") {
        found.swap = try? value.kilobytes(path: path, line: lines.lineNumber)
      }
    }
    return found
  }

  /// How many numbers a kernel list such as `0-3,8` names.
  private static func countOfList(_ text: String) -> Int? {
    var count = 0
    for range in text.split(separator: ",") {
      let ends = range.split(separator: "-").map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, 0...65_535 ~= first,
        first...65_535 ~= last
      else { return nil }
      count += last - first + 1
    }
    return count > 0 ? count : nil
  }

  /// The choice in `always [madvise] never`.
  private static func bracketedWord(_ text: String) -> String? {
    guard let open = text.firstIndex(of: "["), let close = text[open...].firstIndex(of: "]") else { return nil }
    return String(text[text.index(after: open)..<close])
  }
}

/// The memory control group (cgroup) a process is in. All amounts are bytes.
///
/// Its usage counts page cache and kernel memory too, so it can climb while no process grows: it stands beside a verdict
/// and is never the verdict.
public struct ControlGroupMemory: Codable, Hashable, Sendable {
  /// Version of the interface: 1 or 2.
  public let version: Int
  /// The group's path within its hierarchy.
  public let path: String
  /// What the group may use at the most; `nil` without a limit. The smallest limit of the group and those above it that
  /// can be seen from here.
  public let limitBytes: UInt64?
  /// What the group uses.
  public let usageBytes: UInt64?

  /// The group of a process; `nil` where memory is in no control group, or its files cannot be seen from here.
  static func of(_ processID: Int32, root: ProcRoot) -> ControlGroupMemory? {
    guard let groups = readSmallFile(root.file("cgroup", of: processID)) else { return nil }
    var unified: String?
    for line in groups.split(separator: "\n") {
      // hierarchy:controllers:path; version 2 has the hierarchy 0 and no controllers.
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      if fields[1].split(separator: ",").contains("memory"), let found = version1(String(fields[2]), root: root) {
        return found
      }
      if fields[0] == "0" { unified = String(fields[2]) }
    }
    return unified.flatMap { version2($0, root: root) }
  }

  private static func version1(_ path: String, root: ProcRoot) -> ControlGroupMemory? {
    let mount = "\(root.systemPath)/fs/cgroup/memory"
    // "No limit" is the largest multiple of the page size that a signed 64-bit number holds.
    let unlimited = UInt64(Int64.max) / max(root.pageSize, 1) * root.pageSize
    return read(
      version: 1, path: path, mount: mount, limitFile: "memory.limit_in_bytes", usageFile: "memory.usage_in_bytes"
    ) { UInt64($0).flatMap { $0 < unlimited ? $0 : nil } }
  }

  private static func version2(_ path: String, root: ProcRoot) -> ControlGroupMemory? {
    // Beside version 1 groups, systemd mounts version 2 one level down, without a memory controller.
    read(
      version: 2, path: path, mount: "\(root.systemPath)/fs/cgroup", limitFile: "memory.max",
      usageFile: "memory.current"
    ) { UInt64($0) }
  }

  private static func read(
    version: Int, path: String, mount: String, limitFile: String, usageFile: String, limit parse: (String) -> UInt64?
  ) -> ControlGroupMemory? {
    // In a container the path is the host's while the mount shows the container's group as its root.
    let components = path.split(separator: "/").filter { $0 != ".." }
    var folders = (0...components.count).map { mount + components.prefix($0).map { "/" + $0 }.joined() }
    folders.removeAll { access("\($0)/\(usageFile)", F_OK) != 0 && access("\($0)/\(limitFile)", F_OK) != 0 }
    guard let own = folders.last else { return nil }
    let limits = folders.compactMap { readSmallFile("\($0)/\(limitFile)").flatMap(parse) }
    return ControlGroupMemory(
      version: version, path: path, limitBytes: limits.min(),
      usageBytes: readSmallFile("\(own)/\(usageFile)").flatMap { UInt64($0) })
  }
}
