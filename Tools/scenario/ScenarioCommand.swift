// The command line of scenario, and the list of scenarios.

import MeasurementText
import ToolSupport

/// One way memory behaves.
protocol Scenario: SendableMetatype {
  static var name: String { get }
  /// One line for the help.
  static var summary: String { get }
  /// Runs until the pace says that the time is up.
  static func run(_ pace: Pace)
}

/// What can be set; each scenario uses what it has a use for.
struct ScenarioOptions {
  /// Seconds until the scenario ends by itself.
  var duration = Double.infinity
  /// Bytes a second.
  var rate = 1_048_576.0 / 60
  /// Bytes that are held at the most.
  var size = 20_971_520.0
  /// Seconds of a cycle, or of a warm-up.
  var period = 60.0
  /// Threads that work.
  var threads = 2
}

/// A command line that names a scenario.
struct ScenarioCommand {
  let scenario: any Scenario.Type
  let options: ScenarioOptions

  private static let scenarios: [any Scenario.Type] = [
    LeakScenario.self, CycleScenario.self, CacheScenario.self, WarmUpScenario.self, SawtoothScenario.self,
    FragmentScenario.self, PopulateScenario.self, BusyScenario.self, SpinScenario.self, AllocatorScenario.self,
    ThreadsScenario.self, ClockScenario.self, AwaitScenario.self,
  ]

  private static let declarations = [
    OptionDeclaration("duration", letter: "d", value: "TIME", help: "end after this time (runs until it is ended)"),
    OptionDeclaration("rate", value: "AMOUNT/TIME", help: "how fast memory is taken (1MiB/min)"),
    OptionDeclaration("size", value: "AMOUNT", help: "how much is held at the most (20MiB)"),
    OptionDeclaration("period", value: "TIME", help: "length of a cycle or of the warm-up (60s)"),
    OptionDeclaration("threads", value: "N", help: "threads that work (2)"),
    OptionDeclaration("help", letter: "h", help: "this text"),
  ]

  static var help: String {
    let width = (scenarios.map { $0.name.count }.max() ?? 0) + 2
    let list = scenarios.map {
      "  " + $0.name + String(repeating: " ", count: width - $0.name.count) + $0.summary
    }
    return """
      scenario: programs whose memory behaves in a known way

        scenario NAME [options]

      \(list.joined(separator: "\n"))

      \(helpText(for: declarations))

      The first line of output is the pid. On SIGUSR1, and at the end, a line of JSON tells the true number of live
      objects of the scenario's own types.

      """
  }

  /// `nil` where only the help is asked for.
  init?(_ arguments: [String]) throws(ToolFailure) {
    do throws(UsageError) {
      guard let name = arguments.first, name != "--help", name != "-h" else { return nil }
      guard let scenario = Self.scenarios.first(where: { $0.name == name }) else {
        throw UsageError("no scenario '\(name)'; there are \(Self.scenarios.map { $0.name }.joined(separator: ", "))")
      }
      self.scenario = scenario
      options = try Self.parse(Array(arguments.dropFirst()))
    } catch {
      throw ToolFailure(.usage, error.description)
    }
  }

  private static func parse(_ arguments: [String]) throws(UsageError) -> ScenarioOptions {
    let parsed = try ParsedOptions(arguments, declarations: declarations, tool: "scenario")
    guard parsed.operands.isEmpty else { throw UsageError("'\(parsed.operands[0])' is not expected here") }
    var options = ScenarioOptions()
    do throws(QuantityParseError) {
      if let text = parsed.value(of: "duration") { options.duration = seconds(try DurationText.parse(text)) }
      if let text = parsed.value(of: "rate") { options.rate = try ByteText.parseRate(text) }
      if let text = parsed.value(of: "size") { options.size = Double(try ByteText.parse(text)) }
      if let text = parsed.value(of: "period") { options.period = max(seconds(try DurationText.parse(text)), 0.01) }
    } catch {
      throw UsageError("\(error)")
    }
    if let text = parsed.value(of: "threads") {
      guard let count = Int(text), 1...256 ~= count else { throw UsageError("--threads takes a number from 1 to 256") }
      options.threads = count
    }
    return options
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
  }
}
