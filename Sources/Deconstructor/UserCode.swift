// Floor 4, walk: calls of code that belongs to the values' types.
#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Runs code of the values' types, and knows while it does.
///
/// A mirror or a description may call `deconstruct` in turn. Inside, nothing of the values' own is called any more, so
/// the recursion ends there. Code that never returns, or that recurses without us, cannot be stopped from here.
enum UserCode {
  /// Counts the calls on this thread; the value is the count.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Whether this thread is in such a call.
  static var isRunning: Bool { depth > 0 }

  private static var depth: Int {
    get { key.map { Int(bitPattern: pthread_getspecific($0)) } ?? 0 }
    set { if let key { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) } }
  }

  static func run<Result>(_ body: () -> Result) -> Result {
    depth += 1
    defer { depth -= 1 }
    return body()
  }
}
