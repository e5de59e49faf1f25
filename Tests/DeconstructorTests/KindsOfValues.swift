import CFixtureTypes
import Foundation
import Observation
import Synchronization
import Testing

/// Values of every kind of type, by the name of the golden file that shows them.
enum KindsOfValues {
  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    let values: @Sendable () -> [Any]
    var testDescription: String { name }
  }

  static let all: [Kind] = [
    Kind(name: "numbers") {
      [
        Int8.min, UInt64.max, Int128.max, 1.5 as Float16, 2.5 as Float, -0.0, Double.nan, Float80(0.25), true,
        Numbers(),
      ]
    },
    Kind(name: "strings") {
      [
        "a\n\"b\"\\\t\u{0}\u{7F}é日👩‍👩‍👧", "" as Substring, Character("ß"), "static" as StaticString,
        Unicode.Scalar(65) as Any,
        ["a": "b"].first.map { $0.key } as Any,
      ]
    },
    Kind(name: "optionals") {
      [Int?.none as Any, Optional(5) as Any, Int??.some(nil) as Any, Int???.some(.some(nil)) as Any, Optionals()]
    },
    Kind(name: "enums") {
      [
        Status.open, Status.returned(1, reason: "x"), Status.disputed(.disputed(.open)), Shape.empty(Nothing()),
        Shape.pair((1, 2)), Shape.labelled(width: 3), Shape.object(Leaf(1)), Shape.text("t"), Shape.none,
        Result<Int, Never>.success(5), Planet.earth, Wrapped.first([1, 2]), Shape.void(()),
      ]
    },
    Kind(name: "c-types") {
      [
        CFixtureColourBlue, CFixtureClosed.second, CFixtureUnion(word: 0x0403_0201),
        CFixtureRecord(count: 2, share: 0.5, name: nil), CHolder(),
      ]
    },
    Kind(name: "tuples-and-functions") {
      [
        (1, "two"), (x: 1, y: 2.5), (), (1, (2, (3, 4))), { () -> Int in 5 }, Functions(),
        ThinMetatype(), Int.self, (any Error).self, [Int].self, Leaf.self as AnyObject.Type,
      ]
    },
    Kind(name: "collections") {
      [
        [Int](), [String: Int](), Set<Int>(), [1, 2, 3], ["b": 2, "a": 1], Set([10, 9, 2]),
        ContiguousArray([1.5]), [1, 2, 3, 4][1...2], (0..<40).map { $0 }, [Line(sku: "A", quantity: 1)],
        [Point(x: 1, y: 2): "p", Point(x: 0, y: 5): "q"], [true: 1, false: 0], [Planet.venus: 1, Planet.earth: 2],
        [3: ["x"], 20: []], [[1, 2], [3]], Array(repeating: [Optional("z")], count: 2), ["k": [Leaf(1), Leaf(2)]],
        InlineArray<3, Int>(repeating: 7), [1: 2].keys, (1...3).lazy.map { $0 * 2 }, "abc".utf8, zip([1], ["a"]),
      ]
    },
    Kind(name: "existentials") {
      [
        Existentials(), [1, "a", 2.5, nil, Leaf(3), made(4)] as [Any?], AnyHashable(5), [AnyHashable("x"): 1 as Int8],
        Failure.bad(code: 3) as any Error,
      ]
    },
    Kind(name: "classes") { [Leaf(1), Third(), Counter(), Model(), Box(5), Box([Box("x")]), Empty()] },
    Kind(name: "wrappers") { [Wrappers(), LazyHolder()] },
    Kind(name: "noncopyable") { [Noncopyable()] },
    Kind(name: "standard-library") {
      [
        0..<5, 1...3, (..<4), Duration.milliseconds(1500), \Line.sku, \Line.sku.count, SIMD2(1.0, 2.0),
        UnsafePointer<Int>(bitPattern: 8) as Any, OpaquePointer(bitPattern: 16) as Any,
        UnsafeRawBufferPointer(start: nil, count: 0), ObjectIdentifier(Leaf.self), Range<Point>?.none as Any,
      ]
    },
    Kind(name: "foundation") {
      [
        Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: -978_307_200.25),
        Date.distantFuture,
        URL(string: "https://example.com/a?b=c") as Any, Data([0xDE, 0xAD]), Data(repeating: 1, count: 40), Data(),
        UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any, Decimal(string: "12.50") as Any,
        IndexPath(indexes: [1, 2]), Locale(identifier: "en_US"), TimeZone(identifier: "UTC") as Any,
        Measurement(value: 5, unit: UnitLength.meters), NSNumber(value: 5), NSString("text"),
      ]
    },
    Kind(name: "own-forms") { [Mirrored(), MirroredList(), Custom(), CustomParts(), Described()] },
  ]
}

/// An array on the heap: literals become constants in release builds, and those take no memory.
@inline(never) func made<Element>(_ elements: Element...) -> [Element] { elements.map { $0 } }

struct Numbers {
  var a: Int8 = -1
  var b: UInt16 = 2
  var c: Int32 = 3
  var d: Float = 0.5
  let e = true
}

struct Optionals {
  var none: Int?
  var some: Int? = 3
  var nested: Int?? = .some(nil)
  var deeper: Int??? = 4
  var object: Leaf?
  var text: String? = "t"
}

final class Leaf: Hashable {
  var value: Int
  init(_ value: Int) { self.value = value }
  static func == (one: Leaf, other: Leaf) -> Bool { one.value == other.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

struct Nothing {}
final class Empty {}

enum Shape {
  case empty(Nothing)
  case pair((Int, Int))
  case labelled(width: Int)
  case object(Leaf)
  case text(String)
  case void(Void)
  case none
}

enum Planet: Int { case venus = 2, earth }
enum Wrapped<Element> { case first(Element), second(Element, Int) }

struct CHolder {
  var colour = CFixtureColourGreen
  var record = CFixtureRecord(count: 1, share: 0, name: nil)
}

struct Functions {
  var plain: (Int) -> String = { "\($0)" }
  var method: () -> Int = Leaf(4).read
  var c: @convention(c) (Int) -> Int = { $0 }
}

extension Leaf { func read() -> Int { value } }

struct ThinMetatype {
  var meta: Int.Type = Int.self
  var after = 5
}

struct Point: Hashable, Comparable {
  var x: Int
  var y: Int
  static func < (one: Point, other: Point) -> Bool { one.x < other.x }
}

protocol Animal {}
protocol Named: AnyObject {}
struct Dog: Animal { var age = 3 }
extension Leaf: Named {}
protocol Container<Item> { associatedtype Item }
struct Crate: Container {
  typealias Item = Int
  var a = 1
  var b = 2
  var c = 3
  var d = 4
}

struct Existentials {
  var any: Any = 5 as Int8
  var animal: any Animal = Dog()
  var named: any Named = Leaf(7)
  var error: any Error = Failure.worse
  var boxed: any Container<Int> = Crate()
  var optional: (any Animal)?
  var nested: Any = Any?.some(Optional(3) as Any) as Any
  var object: AnyObject = Leaf(8)
  var type: any Any.Type = String.self
}

enum Failure: Error { case bad(code: Int), worse }

class First { var a = 1 }
class Second: First { var b = "two" }
final class Third: Second { var c = made(3) }

actor Counter {
  var count = 2
  var other: Counter?
}

@Observable final class Model {
  var name = "n"
  var count = 1
}

final class Box<Content> {
  var content: Content
  init(_ content: Content) { self.content = content }
}

@propertyWrapper struct Plain { var wrappedValue: Int }
@propertyWrapper struct Limited {
  var wrappedValue: Int
  var limit = 10
}

struct Wrappers {
  @Plain var plain = 3
  @Limited var limited = 4
  var _underscored = 5
}

final class LazyHolder {
  lazy var never: [Int] = [1]
  lazy var computed: Int? = 5
  init() { _ = computed }
}

struct Handle: ~Copyable { var descriptor = 5 }

final class Noncopyable {
  let mutex = Mutex(0)
  let counter = Atomic<Int>(3)
  var handle = Handle()
  var after = 9
}
