import FixtureSupport
import Foundation
import IntrospectionTesting
import Testing

@Suite struct DeallocationTests {
  /// Long enough for what is freed at once; a failure should not take longer.
  private static let short = Duration.milliseconds(20)

  // MARK: Clean

  @Test func anObjectThatIsFreed() {
    #expect(expectDeallocated { Connection() })
    expectDeallocated { [Connection(), Connection()] }
    expectDeallocated { [] }
  }

  @Test func weakCyclesAreNone() {
    expectDeallocated {
      let first = Connection()
      let second = Connection()
      first.peer = second
      second.delegate = first
      return [first, second]
    }
  }

  @Test @MainActor func fromAnActorsTest() async throws {
    try await expectDeallocated {
      try await Task.sleep(for: .milliseconds(1))
      MainActor.assertIsolated()
      return Connection()
    }
    await expectDeallocated { [Connection()] as [AnyObject] }
  }

  @Test func errorsAreTheCallers() {
    struct Failure: Error {}
    #expect(throws: Failure.self) { try expectDeallocated { () throws -> AnyObject in throw Failure() } }
  }

  @Test func aDeinitThatComesLater() async {
    await expectDeallocated {
      let event = Event()
      Task.detached {
        try await Task.sleep(for: .milliseconds(50))
        withExtendedLifetime(event) {}
      }
      return event
    }
  }

  @Test func aDeinitThatComesLaterOnAnotherThread() {
    expectDeallocated {
      let event = Event()
      Background.run(after: .milliseconds(30)) { withExtendedLifetime(event) {} }
      return event
    }
  }

  @Test func tracked() async {
    var connection: Connection? = Connection()
    guard let made = connection else { return }
    let lifetime = track(made)
    #expect(lifetime.liveCount == 1)
    withExtendedLifetime(connection) {}
    let alive = findings { expectDeallocated(lifetime, within: Self.short) }
    #expect(alive.count == 1)
    withExtendedLifetime(made) {}
    connection = nil
  }

  @Test func ignored() {
    let kept = Event()
    #expect(expectDeallocated(ignoring: ["*.Event"]) { kept })
    #expect(findings { expectDeallocated(within: .zero, ignoring: ["*.Other"]) { kept } }.count == 1)
    #expect(findings { expectDeallocated(within: .seconds(-3)) { kept } }.count == 1)
  }

  // MARK: Leaks

  @Test func aRetainCycle() {
    let found = findings {
      expectDeallocated(within: Self.short) {
        let first = Connection()
        let second = Connection()
        first.peer = second
        second.peer = first
        return first
      }
    }
    expectMessage(found, "deallocated-cycle.txt")
  }

  @Test func aClosureThatCapturesItsOwner() {
    let found = findings {
      expectDeallocated(within: Self.short) {
        let connection = Connection()
        connection.onTimeout = { connection.delegate = nil }
        return connection
      }
    }
    expectMessage(found, "deallocated-closure.txt")
  }

  @Test func aForgottenObserver() {
    let found = findings {
      expectDeallocated(within: Self.short) {
        let event = Event()
        Vault.shared.keep(event)
        return event
      }
    }
    expectMessage(found, "deallocated-observer.txt")
  }

  @Test func severalObjects() async {
    let found = await findings {
      await expectDeallocated(within: Self.short) {
        await Task.yield()
        let first = Connection()
        first.onTimeout = { first.peer = nil }
        let event = Event()
        Vault.shared.keep([event, event])
        return [first, event, Connection()]
      }
    }
    expectMessage(found, "deallocated-several.txt")
  }
}

/// A thread of its own.
enum Background {
  static func run(after time: Duration, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread {
      Thread.sleep(forTimeInterval: time / .seconds(1))
      body()
    }
    thread.start()
  }
}
