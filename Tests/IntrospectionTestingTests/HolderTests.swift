import FixtureSupport
import IntrospectionTesting
import Testing

/// What the failure says below its first line.
private func explanation(_ make: () -> AnyObject) -> String {
  let found = findings { expectDeallocated(within: .zero, make) }
  let lines = found.first?.message.split(separator: "\n").dropFirst().map(String.init) ?? []
  return lines.joined(separator: "\n")
}

/// Who holds an object, as the failure of an assertion says it. Each test has classes of its own: others run at the same time.
@Suite struct HolderTests {
  @Test func aGlobalVariable() {
    let told = explanation {
      let lamp = Lamp()
      globalLamp = lamp
      return lamp
    }
    #expect(told == "held by: globalLamp -> Lamp")
  }

  @Test func aFieldWithinAField() {
    let told = explanation {
      let door = Door()
      House.own.frame.hinge.door = door
      return door
    }
    // In release the house is a part of the program: what is left of it is a variable.
    #expect(
      told == "held by: static House.own -> House.frame.hinge.door -> Door" || told == "held by: own -> Door", "\(told)"
    )
  }

  @Test func collections() {
    let value = explanation {
      let value = ShelfValue()
      for _ in 0..<20 { Shelf.byShelfKey[ShelfKey()] = value }
      return value
    }
    #expect(value.hasSuffix("Shelf.byShelfKey -> [ShelfKey: ShelfValue] -> ShelfValue"), "\(value)")
    let key = explanation {
      let key = ShelfKey()
      for _ in 0..<20 { Shelf.keys.insert(ShelfKey()) }
      Shelf.keys.insert(key)
      return key
    }
    #expect(key.hasSuffix("Shelf.keys -> Set<ShelfKey> -> ShelfKey"), "\(key)")
  }

  @Test func whatWasTakenOutIsNotHeld() {
    let coin = onTheHeap(Coin())
    let told = explanation {
      Purse.row = [Coin(), Coin(), coin]
      Purse.row.removeLast()
      for number in 0..<20 {
        Purse.byNumber[number] = number == 12 ? coin : Coin()
        Purse.set.insert(number == 12 ? coin : Coin())
      }
      Purse.byNumber[12] = nil
      Purse.set.remove(coin)
      // Tables of two buckets.
      Purse.oneByNumber = [1: coin]
      Purse.oneByNumber[1] = nil
      Purse.oneInSet = [coin]
      Purse.oneInSet.remove(coin)
      return coin
    }
    #expect(!told.isEmpty && !told.hasPrefix("held by"), "\(told)")
    withExtendedLifetime(coin) {}
  }

  @Test func referencesThatDoNotHold() {
    let tenant = onTheHeap(Tenant())
    let told = explanation {
      Flat.own = Flat(tenant)
      let count = onTheHeap(7)
      Flat.ring = ({ [unowned tenant] in count > 3 ? ObjectIdentifier(tenant) : ObjectIdentifier(Flat.self) }, 1)
      return tenant
    }
    #expect(!told.isEmpty && !told.hasPrefix("held by"), "\(told)")
    withExtendedLifetime(tenant) {}
  }

  @Test func closuresAndCapturedVariables() {
    let told = explanation {
      let letter = Letter()
      let number = onTheHeap(3)
      Desk.onOpen = { withExtendedLifetime((letter, number)) {} }
      return letter
    }
    #expect(told.hasSuffix("Desk.onOpen -> closure -> Letter"), "\(told)")
    Desk.onOpen = nil
    let boxed = explanation {
      var stamp: Stamp? = Stamp()
      let first = stamp
      Desk.onOpen = { stamp = stamp == nil ? Stamp() : nil }
      return first ?? Stamp()
    }
    #expect(boxed.hasPrefix("held by: static Desk.onOpen -> ") && boxed.hasSuffix(" -> Stamp"), "\(boxed)")
  }

  @Test func casesOfAnEnum() {
    let told = explanation {
      let wood = Wood()
      Stove.own.fuel = .wood(wood)
      return wood
    }
    #expect(
      told == "held by: static Stove.own -> Stove.fuel -> Wood" || told == "held by: own -> Wood", "\(told)")
  }

  /// Which elements of a `ManagedBuffer` are in use, only its class knows.
  @Test func elementsBehindAnObject() async {
    await #expect(processExitsWith: .success) {
      let told = explanation {
        let card = Card()
        Deck.own = Deck.create(minimumCapacity: 8) { _ in 1 }
        Deck.own?.withUnsafeMutablePointerToElements { ($0 + 2).initialize(to: card) }
        return card
      }
      check(told == "perhaps held by: static Deck.own -> Deck -> Card", told)
    }
  }

  /// In a process of its own: other tests leave words behind in such memory.
  @Test func memoryOfNoType() async {
    await #expect(processExitsWith: .success) {
      let told = explanation {
        let seed = Seed()
        (Field.rows + 3).initialize(to: seed)
        return seed
      }
      check(
        told.hasPrefix("perhaps held by: static Field.rows -> a block of 8") && told.hasSuffix(" bytes -> Seed"), told)
    }
  }

  @Test func anActor() async {
    let found = await findings {
      await expectDeallocated(within: .zero) {
        let note = Note()
        await Diary.own.write(note)
        return note
      }
    }
    #expect(found.first?.message.hasSuffix("Diary.own -> Diary.note -> Note") == true, "\(found)")
  }

  @Test func instances() {
    let found = findings {
      globalGuests.append(Visitor())
      expectLiveInstances(of: Visitor.self, equals: 0, within: .zero)
    }
    #expect(
      found.first?.message.hasSuffix("one is held by: globalGuests -> [AnyObject] -> Visitor") == true, "\(found)")
  }
}

nonisolated(unsafe) var globalLamp: AnyObject?
final class Visitor {}
nonisolated(unsafe) var globalGuests: [Visitor] = []
final class Lamp {}
final class Door {}
struct Frame {
  var width = 1.0
  var hinge: (count: Int, door: Door?) = (2, nil)
}
final class House {
  let number = 7
  var frame = Frame()
  static nonisolated(unsafe) let own = House()
}
final class ShelfKey: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(7) }
  static func == (left: ShelfKey, right: ShelfKey) -> Bool { left === right }
}
final class ShelfValue {}
final class Shelf {
  static nonisolated(unsafe) var byShelfKey: [ShelfKey: ShelfValue] = [:]
  static nonisolated(unsafe) var keys: Set<ShelfKey> = []
}
final class Coin: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  static func == (left: Coin, right: Coin) -> Bool { left === right }
}
final class Purse {
  static nonisolated(unsafe) var row: [Coin] = []
  static nonisolated(unsafe) var byNumber: [Int: Coin] = [:]
  static nonisolated(unsafe) var set: Set<Coin> = []
  static nonisolated(unsafe) var oneByNumber: [Int: Coin] = [:]
  static nonisolated(unsafe) var oneInSet: Set<Coin> = []
}
final class Card {}
final class Deck: ManagedBuffer<Int, Card> {
  static nonisolated(unsafe) var own: ManagedBuffer<Int, Card>?
}
final class Tenant {}
final class Flat {
  unowned let tenant: Tenant
  unowned(unsafe) let visitor: Tenant
  weak var guest: Tenant?
  init(_ tenant: Tenant) {
    self.tenant = tenant
    visitor = tenant
    guest = tenant
  }
  static nonisolated(unsafe) var own: Flat?
  static nonisolated(unsafe) var ring: (() -> ObjectIdentifier, Int)?
}
final class Letter {}
final class Desk {
  static nonisolated(unsafe) var onOpen: (() -> Void)?
}
final class Stamp {}
final class Coal {}
final class Wood {}
enum Fuel { case coal(Coal), wood(Wood), gas(UInt8), none }
final class Stove {
  var fuel = Fuel.none
  static nonisolated(unsafe) let own = Stove()
}
final class Seed {}
final class Field {
  static nonisolated(unsafe) let rows = UnsafeMutablePointer<Seed>.allocate(capacity: 100)
}
final class Note: Sendable {}
actor Diary {
  var note: Note?
  func write(_ note: Note) { self.note = note }
  static let own = Diary()
}
