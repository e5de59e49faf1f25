import IntrospectionTesting
import Shop
import Testing

@Suite(.serialized) struct SessionTests {
  @Test func healthySessionGoes() { expectDeallocated { Session(user: "Anna") } }

  @Test("a session goes when it is logged out") func session() {
    expectDeallocated {
      let session = Session(user: "Anna")
      session.watch()
      session.logOut()
      return session
    }
  }

  @Test("logging out frees the session") func logOut() {
    expectNoGrowth {
      let session = Session(user: "Anna")
      session.watch()
      session.logOut()
    }
  }

  @Test("a receipt is written in few allocations") func receipt() {
    expectAllocations(atMost: 5) { _ = Receipt().text(lines: 40) }
  }

  @Test("a receipt is small", .memoryLimit(.kib(16))) func smallReceipt() { _ = Receipt().text(lines: 2000) }

  @Test @MainActor func healthyOnTheMainActor() async {
    await expectNoGrowth(repeat: 3) {
      await Task.yield()
      _ = Session(user: "Anna")
    }
    await expectLiveInstances(of: Receipts.self, equals: 0)
  }

  @Test("a listener goes when its user does") func listener() {
    expectDeallocated {
      let user = User(name: "Anna")
      Listeners.shared.add(user)
      return user
    }
  }
}

final class Receipts {}
