import Glibc

/// Runs something that recurses on a thread with a stack of its own, for callers whose stack may be small.
enum DeepStack {
  /// What runs there, and what comes of it.
  private final class Work {
    let body: () -> String?
    var result: String?

    init(_ body: @escaping () -> String?) { self.body = body }
  }

  /// Address space; pages are used only as far as the recursion goes.
  private static let size = 32 << 20

  /// Runs `body` to its end and returns what it returns; `nil` where no thread can be made. Some 20 µs.
  static func run(_ body: @escaping () -> String?) -> String? {
    let work = Work(body)
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    guard pthread_attr_setstacksize(&attributes, size) == 0 else { return nil }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(work)
    let error = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
        work.result = work.body()
        return nil
      }, context.toOpaque())
    guard error == 0 else {
      context.release()
      return nil
    }
    pthread_join(thread, nil)
    return work.result
  }
}
