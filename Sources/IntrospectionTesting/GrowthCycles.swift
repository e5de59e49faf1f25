// Floor 5, growth: why the objects that grow are not freed.
import CSwiftRuntime
import HeapInspection

/// Looks for the strong cycles that objects of the types that grew are in.
enum GrowthCycles {
  /// Types that are looked at, those with the most bytes first.
  private static let limit = 8

  /// To be asked only while no other thread allocates: an object that another one frees meanwhile must not be touched.
  static func find(_ growths: [GrowthRule.Growth], _ inspector: HeapInspector) -> [(type: String, path: String)] {
    let wanted = growths.filter { $0.kind == .class || $0.kind == .actor }.prefix(limit).map(\.name)
    guard !wanted.isEmpty, let classes = try? inspector.liveClasses() else { return [] }
    var found: [(type: String, path: String)] = []
    for type in classes {
      guard let name = inspector.name(of: type), wanted.contains(name), let path = path(type),
        !found.contains(where: { $0.path == path })
      else { continue }
      found.append((name, path))
    }
    // Two objects of one cycle tell the same story from either end.
    found.sort { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
    return found.reduce(into: []) { kept, next in
      if !kept.contains(where: { steps($0.path) == steps(next.path) }) { kept.append(next) }
    }
  }

  private static func steps(_ path: String) -> Set<String> {
    Set(path.split(separator: ">").map { String($0.filter { $0 != " " && $0 != "-" }) })
  }

  private static func path(_ type: LiveClass) -> String? {
    // One whose `deinit` has begun is not to be had.
    guard let object = UnsafeRawPointer(bitPattern: UInt(type.sample)), csr_try_retain(object) != 0 else { return nil }
    let reference = Unmanaged<AnyObject>.fromOpaque(object)
    defer { reference.release() }
    return StrongCycle.path(from: reference.takeUnretainedValue())
  }
}
