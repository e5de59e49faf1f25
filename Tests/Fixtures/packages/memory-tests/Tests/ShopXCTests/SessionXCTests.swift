import IntrospectionTesting
import Shop
import XCTest

final class SessionXCTests: XCTestCase {
  func testHealthySessionGoes() throws {
    XCTAssertDeallocated { Session(user: "Anna") }
    try XCTAssertNoGrowth { _ = Session(user: "Anna") }
  }

  func testSessionGoes() {
    XCTAssertDeallocated {
      let session = Session(user: "Anna")
      session.watch()
      session.logOut()
      return session
    }
  }

  func testLogOutFreesTheSession() throws {
    try XCTAssertNoGrowth {
      let session = Session(user: "Anna")
      session.watch()
      session.logOut()
    }
  }

  func testReceiptIsWrittenInFewAllocations() throws {
    try XCTAssertAllocations(atMost: 5) { _ = Receipt().text(lines: 40) }
  }

  /// The functions of the other framework work here too.
  func testExpectInXCTest() async {
    await expectDeallocated {
      let session = Session(user: "Anna")
      session.watch()
      await Task.yield()
      return session
    }
  }

  func testHealthyCodeThatAwaits() async throws {
    await XCTAssertDeallocated { [Session(user: "Anna"), User(name: "Bo")] as [AnyObject] }
    let lifetime = track(User(name: "Cid"))
    await XCTAssertDeallocated(lifetime)
    try await XCTAssertAllocations(atMost: 10_000) { await Task.yield() }
    try await XCTAssertLiveInstances(of: Receipts.self, equals: 0)
    try await XCTAssertMemory(below: .mib(24)) { await Task.yield() }
    try await XCTAssertNoGrowth(repeat: 3) {
      await Task.yield()
      _ = Session(user: "Anna")
    }
  }

  func testNobodyListensAnyMore() async throws {
    Listener.all.append(Listener())
    try await XCTAssertLiveInstances(of: Listener.self, equals: 0, within: .milliseconds(20))
  }
}

final class Receipts {}

final class Listener {
  static nonisolated(unsafe) var all: [Listener] = []
}
