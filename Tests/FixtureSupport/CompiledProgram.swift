import Foundation
import Synchronization

/// Programs and ELF files that tests compile for themselves: nothing compiled is kept in the repository.
public enum CompiledProgram {
  /// Compiles C or assembly text with the toolchain's clang into `name` of a folder; returns its path.
  ///
  /// - Throws: ``CompilationFailure`` with what the compiler said.
  public static func clang(
    _ source: String, suffix: String = "c", as name: String, in tree: TemporaryTree, flags: [String] = []
  ) throws -> String {
    tree.write("\(name).\(suffix)", source)
    try run(["clang", "\(tree.path)/\(name).\(suffix)", "-o", "\(tree.path)/\(name)"] + flags)
    return "\(tree.path)/\(name)"
  }

  private static let built = Mutex<[String: Result<String, CompilationFailure>]>([:])

  /// Compiles a program of `Tests/Fixtures/programs`, and keeps it in `.build` for the next run: named by its source, the
  /// flags and the compiler, so that none can be out of date. With `strips`, without its symbols.
  ///
  /// - Throws: ``CompilationFailure`` with what the compiler said.
  public static func swift(
    _ program: String, as name: String, module: String = "main", flags: [String] = [], strips: Bool = false
  ) throws -> String {
    let key = ([program, name, module] + flags + (strips ? ["stripped"] : [])).joined(separator: " ")
    // Under the lock, so that tests in parallel wait for one build instead of each making their own.
    return try built.withLock { built in
      if let known = built[key] { return try known.get() }
      let result = Result<String, any Error> {
        try build(program, as: name, ["-module-name", module] + flags, strips: strips, key: key)
      }.mapError { $0 as? CompilationFailure ?? CompilationFailure(command: [key], output: "\($0)") }
      built[key] = result
      return try result.get()
    }
  }

  private static func build(
    _ program: String, as name: String, _ flags: [String], strips: Bool, key: String
  ) throws -> String {
    let compiler = try ChildProcess.run(["swiftc", "--version"]).output
    let mark = fingerprint(try Fixture.bytes("programs/\(program).swift") + Array((key + compiler).utf8))
    let folder = Fixture.root + "/../../.build/fixture-programs/\(name)-\(mark)"
    let output = "\(folder)/\(name)"
    if access(output, X_OK) == 0 { return output }
    let workshop = "\(folder).\(getpid())"
    try run(["mkdir", "-p", workshop])
    try run(
      ["swiftc", "-g", "-parse-as-library", Fixture.path("programs/\(program).swift"), "-o", "\(workshop)/\(name)"]
        + flags)
    if strips { try run(["strip", "\(workshop)/\(name)"]) }
    // In one step: another run of the tests never sees half a program.
    try run(["bash", "-c", "mv -T '\(workshop)' '\(folder)' || test -x '\(output)'"])
    return output
  }

  private static func run(_ command: [String]) throws {
    let result = try ChildProcess.run(command)
    guard result.exitCode == 0 else { throw CompilationFailure(command: command, output: result.output + result.error) }
  }

  /// FNV-1a (Fowler, Noll, Vo), 64 bits: to tell sources apart, against no adversary.
  private static func fingerprint(_ bytes: [UInt8]) -> String {
    String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }
}

/// A program of the tests that did not compile.
public struct CompilationFailure: Error {
  /// What was run.
  public let command: [String]
  /// What it said.
  public let output: String
}
