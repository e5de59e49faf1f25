import FixtureSupport
import IntrospectionTesting
import Testing

class Animal { var legs = 4 }
final class Dog: Animal {}
final class Crate<Content> { var content: Content? }
actor Counter { var value = 0 }

@Suite struct InstanceTests {
  @Test func counted() {
    expectLiveInstances(of: Animal.self, equals: 0)
    let animals = onTheHeap([Animal(), Dog(), Dog()])
    expectLiveInstances(of: Animal.self, equals: 3)
    expectLiveInstances(of: Dog.self, equals: 2)
    expectLiveInstances(of: Animal.self, equals: 1, ignoring: ["Dog"])
    let found = findings { expectLiveInstances(of: Animal.self, equals: 0, within: .milliseconds(5)) }
    expectMessage(found, "instances-subclasses.txt")
    withExtendedLifetime(animals) {}
  }

  /// Objects whose `deinit` has run, kept in memory by unowned references, are neither alive nor taken off those that are.
  @Test func deinitializedOnesAreNotAlive() {
    final class Ghost { var number = 1 }
    struct Haunted { unowned let ghost: Ghost }
    let haunted = onTheHeap((0..<3).map { _ in Haunted(ghost: Ghost()) })
    expectLiveInstances(of: Ghost.self, equals: 0)
    let ghosts = onTheHeap([Ghost(), Ghost()])
    expectLiveInstances(of: Ghost.self, equals: 2)
    withExtendedLifetime((haunted, ghosts)) {}
  }

  @Test func genericOnesAndActors() async {
    let crates = onTheHeap([Crate<Int>(), Crate<Int>()])
    let counter = onTheHeap(Counter())
    await expectLiveInstances(of: Crate<Int>.self, equals: 2)
    await expectLiveInstances(of: Crate<String>.self, equals: 0)
    await expectLiveInstances(of: Counter.self, equals: 1)
    let found = findings { expectLiveInstances(of: Crate<Int>.self, equals: 1, within: .zero) }
    expectMessage(found, "instances-generic.txt")
    withExtendedLifetime((crates, counter)) {}
  }

  @Test func thoseThatGoALittleLater() async {
    final class Guest: Sendable {}
    let guest = Guest()
    Task.detached {
      try await Task.sleep(for: .milliseconds(40))
      withExtendedLifetime(guest) {}
    }
    _ = consume guest
    await expectLiveInstances(of: Guest.self, equals: 0)
  }
}
