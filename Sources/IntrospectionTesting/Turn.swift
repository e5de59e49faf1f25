// Floor 5, growth: one at a time.
import Synchronization

/// Lets assertions on growth run one after another, so that no test's leak is laid to another's.
///
/// Waiting is never for ever, and never at the price of a standstill: a thread of Swift's own pool that waits for an asynchronous
/// scenario may be the thread that this scenario needs. Whoever gets no turn runs at the same time, and says so when it fails.
final class Turn: Sendable {
  private enum Holder: Equatable { case nobody, thread, task }
  private static let holder = Mutex(Holder.nobody)
  /// Set within a turn: an assertion in the scenario of another must not wait for it.
  @TaskLocal static var isWithin = false

  /// How long others are waited for; scenarios that take longer than this in all run at the same time as others.
  static let patience = Duration.seconds(60)

  private let isHeld: Bool

  private init(isHeld: Bool) { self.isHeld = isHeld }

  deinit { if isHeld { Self.holder.withLock { $0 = .nobody } } }

  /// A turn for a scenario that runs on this thread.
  static func take() -> Turn {
    var backoff = Backoff(upTo: patience)
    while !isWithin {
      let found = taken(as: .thread)
      if found == .nobody { return Turn(isHeld: true) }
      guard found == .thread, let pause = backoff.pause() else { break }
      ThreadSleep.sleep(pause)
    }
    return Turn(isHeld: false)
  }

  /// A turn for an asynchronous scenario.
  static nonisolated(nonsending) func take() async -> Turn {
    var backoff = Backoff(upTo: patience)
    while !isWithin {
      if taken(as: .task) == .nobody { return Turn(isHeld: true) }
      guard let pause = backoff.pause(), (try? await Task.sleep(for: pause)) != nil else { break }
    }
    return Turn(isHeld: false)
  }

  private static func taken(as new: Holder) -> Holder {
    holder.withLock { holder in
      let found = holder
      if found == .nobody { holder = new }
      return found
    }
  }
}
