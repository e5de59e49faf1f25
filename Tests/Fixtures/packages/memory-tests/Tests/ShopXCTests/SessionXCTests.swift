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
}
