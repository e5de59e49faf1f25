import Foundation

/// Threads outside of tasks, as old code and C libraries make them.
enum TestThread {
  /// Runs the work on a new thread, to its end. The thread itself has ended too when this returns.
  static func run(_ work: @escaping @Sendable () -> Void) { run(1) { _ in work() } }

  /// Runs the work on several new threads at once.
  static func run(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { number in start { work(number) } }
    for thread in threads { pthread_join(thread, nil) }
  }

  private final class Work {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func start(_ work: @escaping @Sendable () -> Void) -> pthread_t {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(Work(work)).toOpaque())
    return thread
  }
}
