/// Which allocators a process has loaded, seen in the names of its mappings.
public enum AllocatorLibraries {
  /// Parts of file names, and the allocators they stand for.
  private static let known: [(part: String, name: String)] = [
    ("libjemalloc", "jemalloc"), ("libtcmalloc", "tcmalloc"), ("libmimalloc", "mimalloc"),
    ("libasan", "AddressSanitizer"),
    ("libclang_rt.asan", "AddressSanitizer"), ("libhoard", "hoard"), ("ld-musl", "musl"), ("libc.so.6", "glibc"),
    ("libc-2.", "glibc"),
  ]

  /// The names of the allocators that are loaded, the one that serves allocations first: one that was loaded beside the C
  /// library replaces the C library's. Empty where nothing was recognised; one that is linked statically has no name here.
  ///
  /// Guarded like ptrace, as the map is.
  public static func loaded(by processID: Int32, root: ProcRoot = .live) throws(ProcessMemoryError) -> [String] {
    var files: Set<String> = []
    for mapping in try MemoryMap.of(processID, root: root) where mapping.isPath && mapping.isExecutable {
      files.insert(mapping.name.split(separator: "/").last.map(String.init) ?? "")
    }
    var found: [String] = []
    for (part, name) in known where !found.contains(name) && files.contains(where: { $0.hasPrefix(part) }) {
      found.append(name)
    }
    return found
  }
}
