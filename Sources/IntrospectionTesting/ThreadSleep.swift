// Floor 5: pauses of a thread.
#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Puts threads to sleep, for assertions that are not asynchronous.
enum ThreadSleep {
  static func sleep(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    var wanted = timespec(tv_sec: Int(clamping: seconds), tv_nsec: Int(clamping: attoseconds / 1_000_000_000))
    var left = timespec()
    while nanosleep(&wanted, &left) != 0, errno == EINTR { wanted = left }
  }
}

extension Duration {
  /// Lets a pause pass without holding up the thread. Of a cancelled task every sleep ends at once, and what is waited for still needs
  /// its time.
  nonisolated(nonsending) func pass() async {
    if (try? await Task.sleep(for: self)) == nil { ThreadSleep.sleep(self) }
  }
}
