#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The processes that a process has started, and those they have.
public enum ProcessTree {
  /// The pids of all descendants, in ascending order, the process itself not among them; empty where it has none or has
  /// ended. Costs some 20 µs a process where the kernel lists children, and a pass over all of `/proc` where it does not.
  ///
  /// The kernel hands the lists out one by one, so a process that is started or ends meanwhile may or may not be there.
  public static func descendants(of processID: Int32, root: ProcRoot = .live) -> [Int32] {
    let childrenOf: (Int32) -> [Int32]
    if readSmallFile(root.file("task/\(processID)/children", of: processID)) != nil {
      childrenOf = { listedChildren(of: $0, root: root) }
    } else {
      let children = childrenByParent(root)
      childrenOf = { children[$0] ?? [] }
    }
    var found: Set<Int32> = []
    var open = [processID]
    while let parent = open.popLast() {
      for child in childrenOf(parent) where child != processID && found.insert(child).inserted { open.append(child) }
    }
    return found.sorted()
  }

  /// `/proc/PID/task/TID/children`, for every thread: a child belongs to the thread that started it.
  private static func listedChildren(of processID: Int32, root: ProcRoot) -> [Int32] {
    numericEntries(of: root.file("task", of: processID)).flatMap { threadID in
      (readSmallFile(root.file("task/\(threadID)/children", of: processID)) ?? "").split(separator: " ")
        .compactMap { Int32($0) }
    }
  }

  /// Without CONFIG_PROC_CHILDREN: the parents of all processes there are (field 4 of `stat`).
  private static func childrenByParent(_ root: ProcRoot) -> [Int32: [Int32]] {
    var children: [Int32: [Int32]] = [:]
    var buffer = ReadBuffer()
    for processID in numericEntries(of: root.path) {
      guard (try? readFile("stat", of: processID, root: root, into: &buffer)) != nil,
        let stat = try? StatFile(buffer.contents, path: "")
      else { continue }
      children[stat.parentProcessID, default: []].append(processID)
    }
    return children
  }
}

/// The entries of a folder that are numbers, in ascending order: pids and thread ids.
package func numericEntries(of path: String) -> [Int32] {
  guard let folder = opendir(path) else { return [] }
  defer { closedir(folder) }
  var found: [Int32] = []
  while let entry = readdir(folder) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: entry.pointee.d_name)) {
        String(cString: $0)
      }
    }
    if let number = Int32(name) { found.append(number) }
  }
  return found.sorted()
}
