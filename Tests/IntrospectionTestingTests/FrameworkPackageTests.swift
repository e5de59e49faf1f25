// A package of someone else's that depends on this one by path and tests with both frameworks, in a real `swift test`.
import FixtureSupport
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
}
