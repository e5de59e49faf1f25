// A program that knows what is on its heap: it makes objects of every kind, says how many of each are alive, and waits.
// Compiled by the tests in several ways; never part of the package.

import Glibc

final class Plain {
  var first = 1
  var second = 2
}
final class Freed { var number = 7 }
final class Wide { var numbers = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10) }
class Base { var base = 1 }
final class Derived: Base { var derived = 2 }
final class GenericBox<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
struct Outer<First> {
  final class Inner<Second> {
    var pair: (First, Second)
    init(_ first: First, _ second: Second) { pair = (first, second) }
  }
  enum Kind {
    final class Leaf { var number = 1 }
  }
}
private final class Hidden { var number = 1 }
actor Account {
  var balance = 1
  func add() { balance += 1 }
}
struct Failure: Error { var code = (1, 2, 3) }
enum Trouble: Error { case small, large(String) }
final class Watched { var number = 1 }
final class Zombie { var number = 1 }
struct Holder { unowned let zombie: Zombie }
final class Tail: ManagedBuffer<Int, UInt64> {}
protocol Speaking {}
protocol Walking {}
struct Dog: Speaking, Walking { var name = "a dog with a name that is too long to be stored inline" }
extension GenericBox where Value: Equatable {
  final class Lid { var number = 1 }
}
extension Base {
  final class Nested { var number = 1 }
}

var keep: [Any] = []
var truth: [(name: String, count: Int)] = []

func add(_ name: String, _ count: Int, _ make: (Int) -> Any) {
  for index in 0..<count { keep.append(make(index)) }
  truth.append((name, count))
}

@inline(never) func localClass() -> Any {
  final class Local { var number = 1 }
  return Local()
}

@inline(never) func makeClosure(_ plain: Plain, _ number: Int) -> () -> Int { { plain.first &+ number } }

@inline(never) func makeCounter() -> () -> Int {
  var count = 0
  return {
    count += 1
    return count
  }
}

func churn(_ seed: Int, _ rounds: Int) {
  // Pairs that are always alive together: a census must find as many of the one as of the other.
  var pairs: [(Left, Right)] = []
  for round in 0..<rounds {
    pairs.append((Left(), Right()))
    if pairs.count > 5000 { pairs.removeFirst(1000 + (seed &* 7 &+ round) % 3000) }
  }
}
final class Left { var number = 1 }
final class Right { var text = "right \(getpid()) with a text that needs a storage" }

func populate() {
  add("HeapTruth.Plain", 1000) { _ in Plain() }
  var freed: [Freed] = (0..<5000).map { _ in Freed() }
  freed.removeAll()
  truth.append(("HeapTruth.Freed", 0))
  add("HeapTruth.Wide", 33) { _ in Wide() }
  add("HeapTruth.Derived", 4) { _ in Derived() }
  add("HeapTruth.GenericBox<Swift.Int>", 10) { GenericBox($0) }
  add("HeapTruth.GenericBox<[Swift.String : HeapTruth.Plain?]>", 20) { _ in GenericBox<[String: Plain?]>([:]) }
  add("HeapTruth.GenericBox<(Swift.Int, name: Swift.String)>", 6) { GenericBox(($0, name: "x")) }
  add("HeapTruth.GenericBox<any HeapTruth.Speaking & HeapTruth.Walking>", 3) { _ in
    GenericBox<any Speaking & Walking>(Dog())
  }
  add("HeapTruth.GenericBox<(Swift.Int) async throws -> Swift.String>", 2) { _ in
    GenericBox<(Int) async throws -> String>({ "\($0)" })
  }
  add("HeapTruth.GenericBox<HeapTruth.Plain.Type>", 2) { _ in GenericBox(Plain.self) }
  add("HeapTruth.GenericBox<Any>", 2) { GenericBox<Any>($0) }
  add("HeapTruth.Outer<Swift.Int>.Inner<Swift.String>", 5) { Outer<Int>.Inner($0, "x") }
  add("HeapTruth.Outer<Swift.Double>.Kind.Leaf", 5) { _ in Outer<Double>.Kind.Leaf() }
  add("HeapTruth.Hidden", 7) { _ in Hidden() }
  add("HeapTruth.Local", 3) { _ in localClass() }
  add("HeapTruth.Base.Nested", 8) { _ in Base.Nested() }
  add("HeapTruth.GenericBox<Swift.Int>.Lid", 4) { _ in GenericBox<Int>.Lid() }
  add("HeapTruth.Account", 6) { _ in Account() }
  keep.append((0..<8).map { _ in Failure() as any Error })
  truth.append(("HeapTruth.Failure", 8))
  keep.append((0..<5).map { Trouble.large("\($0)") as any Error })
  truth.append(("HeapTruth.Trouble", 5))
  add("HeapTruth.Watched", 9) { _ in
    let watched = Watched()
    weak let reference = watched
    keep.append({ [weak watched] in watched?.number ?? (reference?.number ?? 0) })
    return watched
  }
  for _ in 0..<2 { keep.append(Holder(zombie: Zombie())) }
  truth.append(("HeapTruth.Zombie", 0))
  add("HeapTruth.Tail", 4) { _ in Tail.create(minimumCapacity: 100) { _ in 1 } }
  let plain = Plain()
  keep.append(plain)
  truth[0].count += 1
  var closures: [() -> Int] = []
  for index in 0..<11 { closures.append(makeClosure(plain, index)) }
  keep.append(closures)
  truth.append(("closure capturing Plain, Int", 11))
  var counters: [() -> Int] = []
  for _ in 0..<13 { counters.append(makeCounter()) }
  keep.append(counters)
  add("Swift._ContiguousArrayStorage<Swift.Double>", 3) { Array(repeating: Double($0), count: 1_000_000) }
  add("Swift._DictionaryStorage<Swift.String, HeapTruth.Plain>", 2) { _ in
    Dictionary(uniqueKeysWithValues: (0..<100).map { ("key number \($0) of this dictionary", plain) })
  }
  add("Swift._SetStorage<Swift.UInt16>", 2) { Set([UInt16($0), 7, 9, 300]) }
  for index in 0..<100 { keep.append(malloc(100 + index) as Any) }
}

@MainActor func run() async {
  populate()
  var tasks: [Task<Void, Never>] = []
  for _ in 0..<5 { tasks.append(Task.detached { try? await Task.sleep(nanoseconds: 3_600_000_000_000) }) }
  try? await Task.sleep(nanoseconds: 50_000_000)
  let isChurning = CommandLine.arguments.contains("churn")
  if isChurning {
    for seed in 0..<3 {
      Thread.start {
        while true { churn(seed, 20_000) }
      }
    }
  }
  print("{" + truth.map { "\"\($0.name)\":\($0.count)" }.joined(separator: ",") + "}")
  fflush(stdout)
  while true { sleep(1000) }
}

enum Thread {
  final class Body {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
  static func start(_ body: @escaping () -> Void) {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      }, Unmanaged.passRetained(Body(body)).toOpaque())
  }
}

@main struct Main {
  static func main() async { await run() }
}
