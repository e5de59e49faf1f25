// A package of someone else's that depends on this one by path and tests with both frameworks, in a real `swift test`.
import FixtureSupport
import Foundation
import Testing

@Suite("a package with tests of its own", .serialized) struct FrameworkPackageTests {
  private static let output: String = {
    let result = try? FixturePackage.swift("test", "memory-tests")
    return (result?.output ?? "") + (result?.error ?? "")
  }()

  @Test("Swift Testing shows the failures at their lines")
  func swiftTesting() {
    let found = Self.output
    #expect(found.contains("recorded an issue at SessionTests.swift:9:23"), "\(found)")
    #expect(found.contains("strong cycle: Session.onTimeout -> closure -> Session"))
    #expect(found.contains("recorded an issue at SessionTests.swift:18:20"))
    #expect(found.contains("Memory grew in each of 5 rounds"))
    #expect(found.contains("recorded an issue at SessionTests.swift:29:4"), "the trait")
    #expect(found.contains("\"a receipt is small\" failed"))
    #expect(found.contains("held by: static Listeners.shared -> Listeners.users -> [String: User] -> User"))
    for name in ["healthySessionGoes", "healthyOnTheMainActor"] {
      #expect(found.contains("Test \(name)() passed"), "\(found)")
    }
  }

  @Test("XCTest shows the failures at their lines")
  func xctest() {
    let found = Self.output
    let first = "SessionXCTests.swift:12: error: SessionXCTests.testSessionGoes : failed - Shop.Session was not"
    #expect(found.contains(first), "\(found)")
    #expect(found.contains("SessionXCTests.swift:21: error:"))
    #expect(found.contains("SessionXCTests.swift:29: error:"))
    #expect(found.contains("SessionXCTests.swift:34: error: SessionXCTests.testExpectInXCTest"))
    #expect(found.contains("'SessionXCTests.testHealthySessionGoes' passed"))
    #expect(found.contains("'SessionXCTests.testHealthyCodeThatAwaits' passed"))
    #expect(found.contains("one is held by: static Listener.all -> [AnyObject] -> Listener"))
    #expect(found.contains("Executed 7 tests, with 5 failures"))
  }

  @Test("with another allocator nothing passes in silence")
  func otherAllocator() throws {
    let folder = TemporaryTree()
    // A library of this name is taken for jemalloc. Allocations are counted before it, and its heap cannot be walked.
    let library = try CompiledProgram.clang(
      try String(contentsOfFile: Fixture.path("programs/BumpAllocator.c"), encoding: .utf8), as: "libjemalloc.so.2",
      in: folder, flags: ["-shared", "-fPIC", "-O1"])
    try #require(!Self.output.isEmpty)
    let program = FixturePackage.scratch("memory-tests") + "/debug/memory-testsPackageTests.xctest"
    let xctest = try ChildProcess.run([program], environment: ["LD_PRELOAD": library])
    #expect(xctest.output.contains("Executed 7 tests, with 4 tests skipped and 3 failures"), "\(xctest)")
    #expect(xctest.output.contains("Test skipped - growth was not checked: the heap cannot be inspected"))
    let result = try ChildProcess.run(
      [program, "--testing-library", "swift-testing"], environment: ["LD_PRELOAD": library])
    let found = result.output + result.error
    #expect(found.contains("recorded a warning at SessionTests.swift:18:20"), "\(found)")
    #expect(found.contains("growth was not checked: the heap cannot be inspected"))
    #expect(found.contains("live instances were not checked: the heap cannot be inspected"))
    // What needs no walk is judged all the same.
    #expect(found.contains("strong cycle: Session.onTimeout -> closure -> Session"))
    #expect(found.contains("Allocated 45 times, expected at most 5: 40 too many"))
  }
}
