// introspect: looks at a process from outside. Here: which subcommand; each has a file of its own.

import ToolSupport

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

Console.openMissingStandardDescriptors()

let help = """
  introspect: what a running process is made of

    introspect memory PID    what memory it uses, of what kind, and on what machine
    introspect heap PID      its live objects by type: how many, how many bytes, and what grows
    introspect stack PID     what each of its threads is doing, with names
    introspect interface FILE|PID [TYPE...]
                             the declarations of its types: fields, methods, protocols
    introspect decode TEXT   the declaration behind a type encoding or a mangled name
    introspect --help        this text
    introspect --version     the version

  introspect COMMAND --help explains a command.

  exit codes: 0 done, 1 something could not be read, 64 wrong use, 66 no such process, 77 not permitted

  """

do throws(ToolFailure) {
  let arguments = Array(CommandLine.arguments.dropFirst())
  switch arguments.first {
  case "memory": try MemoryCommand.run(Array(arguments.dropFirst()))
  case "heap": try HeapCommand.run(Array(arguments.dropFirst()))
  case "stack": try StackCommand.run(Array(arguments.dropFirst()))
  case "interface": try InterfaceCommand.run(Array(arguments.dropFirst()))
  case "decode": try DecodeCommand.run(Array(arguments.dropFirst()))
  case "--help", "-h", "help": Console.writeOutput(help)
  case "--version": Console.writeOutput("introspect \(toolVersion)\n")
  case nil: throw ToolFailure(.usage, "which command? introspect memory PID, or introspect --help")
  case let other?: throw ToolFailure(.usage, "no command '\(other)'; introspect --help lists them")
  }
} catch {
  Console.exit(error.code, error.message, tool: "introspect")
}
