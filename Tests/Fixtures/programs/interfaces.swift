// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// One of everything that a type can declare. Generic parameters bear the names that the demangler gives them, so that
// declarations can be compared as text with what the compiler says of them.

import Glibc

public protocol Named { var name: String { get } }

@propertyWrapper public struct Clamped<A: Comparable> {
  public var wrappedValue: A
  public init(wrappedValue: A) { self.wrappedValue = wrappedValue }
}

public class Record {
  public var createdAt: Double = 0
  public init() {}
  open class func make() -> Record { Record() }
  open func describe() -> String { "record" }
}

private struct Hidden {
  var value = 1
  func peek() -> Int { value }
}

public final class Order: Record, Named {
  public let id: Int
  public var name: String { "order" }
  weak var latest: Order?
  unowned var owner: Record
  unowned(unsafe) var raw: Record
  lazy var total: Int = 5
  @Clamped var level: Int = 3
  var pairs: [Line: Line] = [:]
  var both: (Line, [Line?], Line)
  var onChange: ((Order, Line) throws -> Line)?
  private var hidden = Hidden()
  public static let shared = Order(id: 1)
  static var counter = 0

  public init(id: Int) {
    self.id = id
    owner = Record()
    raw = Record()
    both = (Line(), [], Line())
    super.init()
  }
  public init?(text: String) { return nil }
  public convenience init(failing: Int) throws { self.init(id: failing) }
  public func sum(of a: String, rate: Double) async throws -> Double {
    await Task.yield()
    return rate
  }
  override public func describe() -> String { "order" }
  override public class func make() -> Record { Record() }
  private func audit() { print(hidden.peek(), self) }
  public subscript(index: Int) -> String {
    get { "line" }
    set { audit() }
  }
  public subscript(key key: String) -> Int? { nil }

  public enum Status: String { case open, closed }

  func rethrow<A, B: Error>(_ body: (A) throws(B) -> Void, with value: A) throws(B) where A: Hashable {
    try body(value)
  }
  func opaque() -> some Named { self }
  func take(_ x: inout Int, own: consuming String, _ list: Int..., block: @escaping @Sendable (Int) -> Void) {
    x += list.count
    block(own.count)
  }
  func existential(_ x: any Named & Sendable) -> any Collection<Int> { [1] }
  func optional(_ x: (any Named)?) -> (any Error)? { nil }
  func defaulted(`in`: Int = 4, x: Int = 5) {}
  func `default`() {}
  deinit { print("gone") }
}

struct Line: Hashable {
  var sku = "A"
  var quantity: Int32 = 1
  static prefix func - (line: Line) -> Line { line }
  static func + (left: Line, right: Line) -> Line { left }
}

public enum Shape {
  case circle(radius: Double), rect(Double, Double), none
  indirect case nested(Shape)
  public mutating func flip() { self = .none }
  public static func == (a: Shape, b: Shape) -> Bool { true }
}

public struct Box<A: Hashable, B> where B: Sequence, B.Element == A {
  public var items: [A]
  var other: B
  public func map<A1>(_ body: (A) -> A1) -> [A1] { items.map(body) }
  public struct Inner { var x: A }
}
extension Box where A == Int { public var sum: Int { items.reduce(0, +) } }
extension Box: Equatable where B: Equatable {}

extension String: Named {
  public var name: String { self }
  public func shout(times: Int) -> String { String(repeating: uppercased(), count: times) }
}

public actor Bank {
  var balance = 0
  public init() {}
  public func deposit(_ amount: Int) { balance += amount }
  public nonisolated var title: String { "bank" }
}

public protocol Store: AnyObject, Named {
  associatedtype Item: Hashable
  associatedtype Key
  init(item: Item)
  func put(_ item: Item, key: Key) throws -> Bool
  var count: Int { get set }
  static var zero: Self { get }
  subscript(index: Int) -> Item { get async }
}
extension Store { public func twice() -> Int { count * 2 } }

final class Shelf: Store {
  var count = 0
  let name = "shelf"
  static var zero: Shelf { Shelf(item: 0) }
  init(item: Int) {}
  func put(_ item: Int, key: String) throws -> Bool { true }
  subscript(index: Int) -> Int { get async { index } }
}

public struct Unique: ~Copyable {
  var fd: Int32
  borrowing func read() -> Int32 { fd }
  consuming func close() {}
  deinit { print(fd) }
}

@main struct Main {
  static func main() async throws {
    func nested(_ n: Int) -> Int {
      struct Local {
        var z = 1
        func q() -> Int { z }
      }
      return Local().q() + n
    }
    let order = Order(id: 3)
    let bank = Bank()
    await bank.deposit(nested(3))
    print(try await order.sum(of: "", rate: 2), Shape.none, Box(items: [1], other: [1]).sum, "s".shout(times: 2))
    print(Shelf(item: 1).twice(), -Line() + Line(), Unique(fd: 3).read())
    fflush(nil)
    if CommandLine.arguments.count > 1 { try await Task.sleep(for: .seconds(60)) }
  }
}
