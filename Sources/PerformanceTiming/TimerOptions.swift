#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How a timer measures, what it keeps, and whether it prints.
public struct TimerOptions: Sendable {
  /// Where the time comes from.
  public var clock = TimerClock.continuous
  /// Whether each span also measures the processor time of its thread. Off: it makes a span eight times dearer (0.6 µs).
  public var measuresThreadCPU = false
  /// Whether each span also measures the processor time of the process. Off for the same reason.
  public var measuresProcessCPU = false

  /// The most names that are told apart, 1 to 65 536. Spans of any further name are counted under `(other)`, and the
  /// report says so: a name such as `"request \(number)"` must not fill the memory.
  public var nameLimit = 1000
  /// The most places in the tree of names, 16 to 1 048 576; spans at any further place are counted under `(other)` too.
  public var pathLimit = 4096
  /// The deepest place in the tree, 1 to 1000: spans nested deeper are counted under `(other)`. It ends runaway recursion.
  public var depthLimit = 64

  /// How many spans are kept one by one for `PerformanceTimer.trace()`, 32 bytes each; the first ones, since what
  /// went wrong at the start is often what is looked for. 0: none, the statistics need none.
  public var traceLimit = 0

  /// Whether each finished span prints a line: the one setting for that, also to be changed while the timer runs
  /// (`PerformanceTimer.printsSpans`). By default `printsByDefault`.
  public var printsSpans = TimerOptions.printsByDefault
  /// What each line begins with: nothing. A process name or a date is yours to add.
  public var linePrefix = ""
  /// Where printed lines go: standard error, each with one `write`. The line comes with its line feed.
  public var write: @Sendable (String) -> Void = TimerOptions.writeToStandardError

  /// Wall time on the continuous clock, a thousand names, no trace.
  public init() {}

  /// The environment variable that decides over printing: `1`, `on`, `yes`, `true` or `0`, `off`, `no`, `false`.
  public static let printingVariable = "PERFORMANCE_TIMER_PRINT"

  /// Whether spans print where nobody says otherwise: what the environment variable `PERFORMANCE_TIMER_PRINT` says, and
  /// without it yes in debug builds and no in release builds. Read once.
  public static let printsByDefault: Bool = {
    switch getenv(printingVariable).map({ String(cString: $0).lowercased() }) {
    case "1", "on", "yes", "true": return true
    case "0", "off", "no", "false": return false
    default: break
    }
    #if DEBUG
      return true
    #else
      return false
    #endif
  }()

  private static let writeToStandardError: @Sendable (String) -> Void = { line in
    var line = line
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(2, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        // A closed standard error is no reason to stop: the line is lost, the program goes on.
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }

  /// The options with every limit brought into its range.
  var sensible: TimerOptions {
    var options = self
    options.nameLimit = min(max(nameLimit, 1), 65_536)
    options.pathLimit = min(max(pathLimit, 16), 1_048_576)
    options.depthLimit = min(max(depthLimit, 1), 1000)
    options.traceLimit = min(max(traceLimit, 0), 100_000_000)
    return options
  }
}
