import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How often a walk over this process's own heap is made again that has lost its way.
///
/// Other threads change the heap under the walk. One that is taken off its processor in the middle of `malloc` leaves a chain of blocks
/// broken until it runs again, on a busy machine for many ms: so there are pauses in between, 20 attempts and 0.7 s of them.
package struct WalkAttempts {
  private static let limit = 20
  /// The first repetitions follow at once: most threads are through with it by then.
  private static let immediate = 2
  private static let longestPause: UInt32 = 64_000
  /// What no repetition has mended: a break that stays, such as memory that the program itself takes with `sbrk`. It is not waited for again.
  private static let lasting = Atomic<Int>(0)

  private var count = 1
  private var pause: UInt32 = 1000
  private var fewest = Int.max

  package init() {}

  /// Whether to walk again after a walk that has lost its way so many times. Pauses if so.
  package mutating func another(afterLosses losses: Int) -> Bool {
    guard losses > Self.lasting.load(ordering: .relaxed) else { return false }
    fewest = min(fewest, losses)
    guard count < Self.limit else {
      Self.lasting.store(fewest, ordering: .relaxed)
      return false
    }
    count += 1
    if count > Self.immediate + 1 {
      usleep(pause)
      pause = min(pause * 2, Self.longestPause)
    }
    return true
  }
}
