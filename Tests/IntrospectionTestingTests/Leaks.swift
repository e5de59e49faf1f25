// Code that leaks, and code that does not. A type of its own for each test: what others do with it would count.
import Glibc
import Synchronization

final class Connection {
  var peer: Connection?
  var onTimeout: (() -> Void)?
  weak var delegate: Connection?
}

/// A place that outlives every test: what is put in it is leaked on purpose.
final class Vault: Sendable {
  private let kept = Mutex<[any Sendable]>([])
  static let shared = Vault()

  func keep(_ value: any Sendable) { kept.withLock { $0.append(value) } }
}

final class Event: Sendable { let number = 7 }
final class ScoreCard: Sendable { let points = 3 }
final class Basket: Sendable { let items = 0 }

/// A dictionary that gains an entry a round.
final class Scores {
  static nonisolated(unsafe) var byName: [Int: Int] = [:]
  static func add() { byName[byName.count] = 1 }
}

/// A cache that is filled when it is first asked.
final class Squares {
  static nonisolated(unsafe) private var table: [Int] = []
  static func square(_ number: Int) -> Int {
    if table.isEmpty { table = (0..<1000).map { $0 * $0 } }
    return table[number]
  }
}

/// A block of C's, which no one frees.
@inline(never)
func leakBlock(_ size: Int) { _ = seen(malloc(size)) }

@inline(never)
func keepCards(_ count: Int) {
  for _ in 0..<count { IgnoredCard.all.append(IgnoredCard()) }
}

@inline(never)
func allocateBlocks(_ count: Int) {
  var left = count
  while left > 0 {
    free(seen(malloc(100)))
    left -= 1
  }
}

@inline(never)
func allocateOneBlock() { free(seen(malloc(200))) }

@inline(never)
func takeAndGiveBack(_ size: Int) { free(seen(malloc(size))) }

/// Hands a block back, unseen by the optimizer, which would leave out what is only allocated and freed.
@_optimize(none)
func seen(_ block: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? { block }

/// Hands a value back, unseen by the optimizer, which would put objects that nobody else sees on the stack.
@_optimize(none)
func onTheHeap<Value>(_ value: Value) -> Value { value }
