// introspect heap PID: the live objects of a process by type, once or several times.

import HeapInspection
import MeasurementText
import ProcessMemory
import ToolSupport

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

enum HeapCommand {
  private static let declarations = [
    OptionDeclaration("all", letter: "a", help: "all types, and the sizes of memory that is no object (the top 20)"),
    OptionDeclaration("filter", value: "PATTERN", help: "only types that match: a part of the name, or Shop.*"),
    OptionDeclaration("sort", value: "ORDER", help: "by bytes or by count (bytes)"),
    OptionDeclaration("stop", help: "stop the process for an exact picture, for as long as that takes"),
    OptionDeclaration("every", value: "TIME", help: "take a census again and again, and show what grew"),
    OptionDeclaration(
      "count", value: "N", help: "how many censuses with --every (5); Ctrl-C shows what is known so far"),
    OptionDeclaration("json", help: "as JSON, with every figure"),
    OptionDeclaration("help", letter: "h", help: "this text"),
  ]

  private static let help = """
    introspect heap [options] PID

    The live objects of a process by type. It runs on, unless --stop is given; nothing in it is changed. Works with
    glibc's allocator, stripped and static programs included; with other allocators the result is an approximation.

    """

  /// What was asked for.
  private struct Request {
    var processID: Int32
    var isJSON: Bool
    var stops: Bool
    var text: CensusTextOptions
    var every: Double?
    var count: Int
  }

  static func run(_ arguments: [String]) throws(ToolFailure) {
    let parsed = try parseOptions(arguments, declarations, of: "heap")
    if parsed.has("help") {
      Console.writeOutput(help + "\n" + helpText(for: declarations) + "\n")
      return
    }
    let request = try request(parsed)
    let inspector: HeapInspector
    do throws(HeapInspectionError) { inspector = try HeapInspector(request.processID) } catch { throw failure(error) }
    if let interval = request.every {
      try watch(inspector, request, every: interval)
    } else {
      try show(try census(inspector, request), request)
    }
  }

  private static func census(_ inspector: HeapInspector, _ request: Request) throws(ToolFailure) -> HeapCensus {
    do throws(HeapInspectionError) {
      return try inspector.snapshot(stopping: request.stops).census
    } catch {
      throw failure(error)
    }
  }

  private static func request(_ parsed: ParsedOptions) throws(ToolFailure) -> Request {
    guard parsed.operands.count == 1, let processID = Int32(parsed.operands[0]), processID > 0 else {
      throw ToolFailure(.usage, "introspect heap takes one process id; pidof NAME or pgrep NAME finds it")
    }
    var text = CensusTextOptions()
    if parsed.has("all") { (text.limit, text.showsUntyped) = (nil, true) }
    if let pattern = parsed.value(of: "filter") { text.filter = TypePattern(pattern) }
    if let order = parsed.value(of: "sort") {
      guard let known = CensusTextOptions.Order(rawValue: order) else {
        throw ToolFailure(.usage, "--sort '\(order)' is neither bytes nor count")
      }
      text.order = known
    }
    let count = parsed.value(of: "count")
    guard let count = Int(count ?? "5"), 2...10_000 ~= count else {
      throw ToolFailure(.usage, "--count takes a number from 2 to 10000")
    }
    if parsed.has("count"), !parsed.has("every") {
      throw ToolFailure(.usage, "--count needs --every TIME, for example --every 10s")
    }
    return Request(
      processID: processID, isJSON: parsed.has("json"), stops: parsed.has("stop"), text: text,
      every: try interval(parsed), count: count)
  }

  private static func interval(_ parsed: ParsedOptions) throws(ToolFailure) -> Double? {
    guard let text = parsed.value(of: "every") else { return nil }
    let seconds: Double
    do throws(QuantityParseError) {
      seconds = try DurationText.parse(text) / .seconds(1)
    } catch {
      throw ToolFailure(.usage, "--every: \(error)")
    }
    guard (0.01...86_400).contains(seconds) else {
      throw ToolFailure(.usage, "--every '\(text)' is not between 10ms and 24h")
    }
    return seconds
  }

  private static func show(_ census: HeapCensus, _ request: Request) throws(ToolFailure) {
    guard request.isJSON else { return Console.writeOutput(census.text(request.text)) }
    Console.writeOutput(try jsonText(census.selecting(request.text.filter, order: request.text.order)))
  }

  // MARK: - Several

  /// Takes censuses until there are enough, someone asks to stop, or the process ends; then shows what is known.
  private static func watch(
    _ inspector: HeapInspector, _ request: Request, every interval: Double
  ) throws(ToolFailure) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    sigprocmask(SIG_BLOCK, &signals, nil)
    var censuses: [HeapCensus] = []
    var endedBy: Int32?
    while censuses.count < request.count {
      do throws(ToolFailure) {
        censuses.append(try census(inspector, request))
      } catch {
        guard censuses.count > 1 else { throw error }
        Console.writeError("introspect heap: \(error.message); this is what was seen until then\n")
        break
      }
      if let census = censuses.last, !request.isJSON {
        Console.writeError(
          "census \(censuses.count) of \(request.count): \(ByteText.format(census.totals.liveBytes)) live\n")
      }
      guard censuses.count < request.count else { break }
      endedBy = wait(interval, signals)
      if endedBy != nil { break }
    }
    var growth = HeapGrowth(censuses)
    if let filter = request.text.filter { growth = growth.selecting(filter) }
    Console.writeOutput(request.isJSON ? try jsonText(growth) : growth.text(limit: request.text.limit))
    if let endedBy { Glibc.exit(ExitCode.endedBySignal(endedBy)) }
  }

  /// Waits; returns the signal that ended the wait early.
  private static func wait(_ seconds: Double, _ signals: sigset_t) -> Int32? {
    var signals = signals
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - Double(Int(seconds))) * 1e9))
    let signal = sigtimedwait(&signals, nil, &time)
    return signal > 0 ? signal : nil
  }

  // MARK: - Output

  private static func failure(_ error: HeapInspectionError) -> ToolFailure {
    let code: ExitCode =
      switch error {
      case .process(let error): processMemoryExitCode(error)
      case .noKnownHeap, .unknownRuntime: .failure
      case .cannotStop: .notPermitted
      case .outOfMemory: .softwareFault
      }
    return ToolFailure(code, error.description)
  }
}
