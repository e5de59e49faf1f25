// scenario: one small program for each way memory behaves, to watch with leak-trend and to test against.

import Glibc
import ToolSupport

Console.openMissingStandardDescriptors()
do throws(ToolFailure) {
  guard let command = try ScenarioCommand(Array(CommandLine.arguments.dropFirst())) else {
    Console.writeOutput(ScenarioCommand.help)
    exit(0)
  }
  command.scenario.run(Pace(scenario: command.scenario.name, options: command.options))
} catch {
  Console.exit(error.code, error.message, tool: "scenario")
}
