// Floor 5: assertions that run at the same time.
import Synchronization

/// Counts the assertions of this module that look at the whole process, so that each can say that others ran meanwhile.
enum RunningScopes {
  private static let begun = Atomic<Int>(0)
  private static let ended = Atomic<Int>(0)

  /// A stay among them.
  struct Stay {
    fileprivate let othersAtStart: Int
    fileprivate let begunAtStart: Int
  }

  static func enter() -> Stay {
    let number = begun.add(1, ordering: .sequentiallyConsistent).newValue
    return Stay(othersAtStart: number - 1 - ended.load(ordering: .sequentiallyConsistent), begunAtStart: number)
  }

  /// Ends a stay; how many others ran at some time of it.
  static func leave(_ stay: Stay) -> Int {
    let others = others(stay)
    ended.add(1, ordering: .sequentiallyConsistent)
    return others
  }

  /// How many others have run at some time of a stay until now.
  static func others(_ stay: Stay) -> Int {
    max(0, stay.othersAtStart) + begun.load(ordering: .sequentiallyConsistent) - stay.begunAtStart
  }
}
