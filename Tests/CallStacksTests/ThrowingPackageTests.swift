// A package of someone else's that depends on this one and throws C++ exceptions. (What a throw costs is for the benchmarks.)
import FixtureSupport
import Foundation
import Testing

@Suite("a package that throws C++ exceptions", .serialized)
struct ThrowingPackageTests {
  @Test("throws go through libgcc, and no library of ours is linked", arguments: [false, true])
  func throwing(isStatic: Bool) throws {
    let name = isStatic ? "throws-static" : "throws"
    let scratch = FixturePackage.scratch(name)
    let built = try FixturePackage.swift(
      "build", "throws", scratch: name, ["-c", "release"] + (isStatic ? ["--static-swift-stdlib"] : []))
    try #require(built.exitCode == 0, "\(built.output)\(built.error)")
    for name in ["plain", "with-stacks"] {
      let program = "\(scratch)/release/\(name)"
      let result = try ChildProcess.run([program, "100000"])
      #expect(result.exitCode == 0 && result.output.hasPrefix("100000 caught"), "\(result)")
      #expect(!result.output.contains("libunwind"), "\(result.output)")
      let needed = try ChildProcess.run(["readelf", "-d", program]).output
      #expect(needed.contains("NEEDED"))
      for library in ["libunwind", "libdw", "libelf"] { #expect(!needed.contains(library), "\(name): \(library)") }
    }
    let stacks = try ChildProcess.run([scratch + "/release/with-stacks", "10"]).output
    #expect(stacks.contains("\nwith_stacks_main\n"), "\(stacks)")
  }
}
