#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Runs something on a thread of its own while the caller waits: what recurses, for callers whose stack may be small, and
/// what the kernel ties to a thread.
package enum DeepStack {
  /// What runs there.
  private final class Work {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Address space; pages are used only as far as the recursion goes.
  private static let size = 32 << 20

  /// Runs `body` to its end and returns what it returns; `nil` where no thread can be made. Some 20 µs.
  package static func run<Result>(_ body: @escaping () -> Result) -> Result? {
    var result: Result?
    return runWork(Work { result = body() }) ? result : nil
  }

  /// Whether there was a thread to run it.
  private static func runWork(_ work: Work) -> Bool {
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return false }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, size) == 0 else { return false }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(work)
    let error = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, context.toOpaque())
    guard error == 0 else {
      context.release()
      return false
    }
    pthread_join(thread, nil)
    return true
  }
}
