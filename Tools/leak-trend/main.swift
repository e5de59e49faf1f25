// leak-trend: watches the memory of a process and decides whether it trends up.
// Here: what was asked for. Options, target, session and files each have a file of their own.

import ToolSupport

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

Console.openMissingStandardDescriptors()
// A reader that goes away (a closed terminal, `| head`) must not end a measurement.
signal(SIGPIPE, SIG_IGN)

do throws(ToolFailure) {
  switch try LeakTrendCommand(CommandLine.arguments.dropFirst()) {
  case .showHelp: Console.writeOutput(LeakTrendOptions.help)
  case .showVersion: Console.writeOutput("leak-trend \(toolVersion)\n")
  case .watch(let options): exit(try Session.run(options))
  case .analyze(let options): exit(try Analysis.run(options))
  }
} catch {
  Console.exit(error.code, error.message, tool: "leak-trend")
}
