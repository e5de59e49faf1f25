import FixtureSupport
import ProcessMemory

/// The recorded machines; see the README beside them.
enum Recorded {
  static func root(_ name: String, pageSize: UInt64 = 4096) -> ProcRoot {
    ProcRoot(
      path: Fixture.path("proc/\(name)/proc"), systemPath: Fixture.path("proc/\(name)/sys"), pageSize: pageSize)
  }

  static let processID: Int32 = 1729
}
