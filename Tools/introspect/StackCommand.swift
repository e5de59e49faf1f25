// introspect stack PID: what every thread of a process is doing, with names.

import CallStacks
import MeasurementText
import ProcessMemory
import ToolSupport

enum StackCommand {
  private static let declarations = [
    OptionDeclaration("thread", value: "TID", help: "only this thread"),
    OptionDeclaration("full", help: "every frame, with modules, types, whole paths and addresses"),
    OptionDeclaration("json", help: "as JSON, every frame"),
    OptionDeclaration("no-lines", help: "no files, lines and inlined functions: faster for large programs"),
    OptionDeclaration("lines-within", value: "TIME", help: "how long to look for lines (500ms)"),
    OptionDeclaration("help", letter: "h", help: "this text"),
  ]

  static func run(_ arguments: [String]) throws(ToolFailure) {
    let parsed = try parseOptions(arguments, declarations, of: "stack")
    if parsed.has("help") {
      Console.writeOutput(
        """
        introspect stack [options] PID

        \(helpText(for: declarations))

        Each thread is stopped for some 50 µs and runs on while its frames are named. Frames of the runtime, of executors and of
        thunks are folded; --full and --json have all.

        """)
      return
    }
    guard parsed.operands.count == 1, let processID = Int32(parsed.operands[0]), processID > 0 else {
      throw ToolFailure(.usage, "introspect stack takes one process id; pidof NAME or pgrep NAME finds it")
    }
    let stacks = try take(processID, parsed)
    if parsed.has("json") {
      Console.writeOutput(try jsonText(stacks))
    } else {
      Console.writeOutput(text(stacks, parsed.has("full") ? .full : .short))
    }
    if stacks.threads.isEmpty, let first = stacks.skipped.first {
      throw ToolFailure(.failure, "no thread could be stopped; thread \(first.id): \(first.reason)")
    }
  }

  private static func take(_ processID: Int32, _ parsed: ParsedOptions) throws(ToolFailure) -> ProcessStacks {
    var options = SymbolicationOptions(includesLines: !parsed.has("no-lines"))
    if let text = parsed.value(of: "lines-within") {
      do throws(QuantityParseError) { options.lineBudget = try DurationText.parse(text) } catch {
        throw ToolFailure(.usage, "--lines-within: \(error)")
      }
    }
    var thread: Int32?
    if let text = parsed.value(of: "thread") {
      guard let number = Int32(text), number > 0 else {
        throw ToolFailure(.usage, "--thread takes a thread id; without it, all threads are shown with theirs")
      }
      thread = number
    }
    do throws(CallStackError) {
      return try ProcessStacks.of(processID, thread: thread, options: options)
    } catch {
      throw ToolFailure(exitCode(error), error.description)
    }
  }

  private static func exitCode(_ error: CallStackError) -> ExitCode {
    switch error {
    case .notPermitted: .notPermitted
    case .unreadable(.notAvailable): .noInput
    case .unreadable(let error): processMemoryExitCode(error)
    case .ownProcess: .usage
    case .libunwindMissing, .failed: .failure
    }
  }

  // MARK: - Text

  private static func text(_ stacks: ProcessStacks, _ detail: StackText.Detail) -> String {
    let heads = stacks.threads.map { thread in
      "thread \(thread.id) \"\(LineText.bounded(thread.name))\"  \(thread.state)"
    }
    let width = heads.map(\.count).max() ?? 0
    var text = ""
    for (thread, head) in zip(stacks.threads, heads) {
      text += head + String(repeating: " ", count: width - head.count)
      text += "   stopped \(DurationText.format(thread.stopped))\n"
      text += StackText(detail).render(thread.stack)
    }
    for thread in stacks.skipped { text += "thread \(thread.id) was not looked at: \(thread.reason)\n" }
    let withoutTime = stacks.threads.reduce(0) { $0 + $1.stack.framesWithoutTime }
    if withoutTime > 0 {
      text += "\(withoutTime) frames have no line: the time for them was up (--lines-within sets it)\n"
    }
    for problem in stacks.problems { text += "no names: \(problem)\n" }
    return text
  }
}
