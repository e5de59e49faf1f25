// Floor 5: assertions that run at the same time.
import Synchronization

/// A time in which an assertion looks at the whole process. Each can say how many others ran meanwhile.
final class Stay: Sendable {
  private static let begun = Atomic<Int>(0)
  private static let ended = Atomic<Int>(0)

  private let number: Int
  private let othersAtStart: Int

  init() {
    number = Self.begun.add(1, ordering: .sequentiallyConsistent).newValue
    othersAtStart = max(0, number - 1 - Self.ended.load(ordering: .sequentiallyConsistent))
  }

  /// How many others have run at some time of this one until now.
  var others: Int { othersAtStart + Self.begun.load(ordering: .sequentiallyConsistent) - number }

  deinit { Self.ended.add(1, ordering: .sequentiallyConsistent) }
}
