import Glibc
import ToolSupport

/// A task that works below three functions that await it: `serve`, `handle` and `parse`, none of which is on the stack any more.
enum AwaitScenario: Scenario {
  static let name = "await"
  static let summary = "works in a task, below functions that await it"

  static func run(_ pace: Pace) {
    let gate = Gate()
    let task = Task { await serve(gate) }
    while pace.wait(until: .infinity) {}
    gate.open()
    task.cancel()
  }

  @inline(never)
  private static func serve(_ gate: Gate) async -> Int {
    var served = 0
    repeat { served += await handle(gate, request: served) } while !Task.isCancelled
    return served
  }

  @inline(never)
  private static func handle(_ gate: Gate, request: Int) async -> Int {
    await Task.yield()
    return await parse(gate, request) + 1
  }

  @inline(never)
  private static func parse(_ gate: Gate, _ request: Int) async -> Int {
    await Task.yield()
    // Synchronous work in between, as in a server that parses.
    return work(gate, request) + request
  }

  @inline(never)
  private static func work(_ gate: Gate, _ request: Int) -> Int { gate.wait() + request }
}
