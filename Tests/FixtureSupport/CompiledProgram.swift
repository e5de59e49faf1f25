import Glibc
import Synchronization

/// Programs that tests compile from `Tests/Fixtures/programs`, and keep in `.build` for the next run: named by their source,
/// the flags and the compiler, so that none of them can be out of date.
public enum CompiledProgram {
  private static let folder = Fixture.root + "/../../.build/fixture-programs"
  private static let built = Mutex<[String: Result<String, BuildFailure>]>([:])

  /// A program that did not compile: what the compiler said.
  public struct BuildFailure: Error {
    /// The compiler's output.
    public let output: String
  }

  /// The path of the program `name`, compiled with `flags`; where `strips` is set, without symbols.
  ///
  /// - Throws: ``BuildFailure``.
  public static func path(_ name: String, _ flags: [String] = [], strips: Bool = false) throws -> String {
    let key = ([name] + flags + (strips ? ["stripped"] : [])).joined(separator: " ")
    // Under the lock, so that tests in parallel wait for one build instead of each making their own.
    return try built.withLock { built in
      if let known = built[key] { return try known.get() }
      let result = Result<String, any Error> { try build(name, flags, strips: strips, key: key) }
        .mapError { $0 as? BuildFailure ?? BuildFailure(output: "\($0)") }
      built[key] = result
      return try result.get()
    }
  }

  private static func build(_ name: String, _ flags: [String], strips: Bool, key: String) throws -> String {
    let source = try Fixture.bytes("programs/\(name).swift")
    let compiler = try ChildProcess.run(["swiftc", "--version"]).output
    let folder = "\(Self.folder)/\(name)-" + fingerprint(source + Array((key + compiler).utf8))
    let program = "\(folder)/\(name)"
    if access(program, X_OK) == 0 { return program }
    let workshop = "\(folder).\(getpid())"
    let steps = [
      ["mkdir", "-p", workshop], ["cp", Fixture.path("programs/\(name).swift"), "\(workshop)/main.swift"],
      ["swiftc", "-module-name", name, "\(workshop)/main.swift", "-o", "\(workshop)/\(name)"] + flags,
      strips ? ["strip", "\(workshop)/\(name)"] : ["true"],
      // In one step: another run of the tests never sees half a program.
      ["bash", "-c", "mv -T '\(workshop)' '\(folder)' || test -x '\(program)'"],
    ]
    for step in steps {
      let result = try ChildProcess.run(step)
      guard result.exitCode == 0 else { throw BuildFailure(output: result.output + result.error) }
    }
    return program
  }

  /// FNV-1a (Fowler, Noll, Vo), 64 bits: to tell sources apart, against no adversary.
  private static func fingerprint(_ bytes: [UInt8]) -> String {
    String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
  }
}
