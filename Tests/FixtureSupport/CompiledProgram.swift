import Foundation

/// Programs and ELF files that tests compile for themselves: nothing compiled is kept in the repository.
public enum CompiledProgram {
  /// Compiles C or assembly text with the toolchain's clang into `name` of a folder; returns its path.
  ///
  /// - Throws: ``CompilationFailure`` with what the compiler said.
  public static func clang(
    _ source: String, suffix: String = "c", as name: String, in tree: TemporaryTree, flags: [String] = []
  ) throws -> String {
    tree.write("\(name).\(suffix)", source)
    return try run(
      ["clang", "\(tree.path)/\(name).\(suffix)", "-o", "\(tree.path)/\(name)"] + flags, "\(tree.path)/\(name)")
  }

  /// Compiles a program of `Tests/Fixtures/programs` into the build folder, where it is not newer than its source already.
  ///
  /// - Throws: ``CompilationFailure`` with what the compiler said.
  public static func swift(_ program: String, as name: String, flags: [String]) throws -> String {
    let source = Fixture.path("programs/\(program).swift")
    let output = BuiltProduct.path(name)
    if let compiled = modified(output), let written = modified(source), compiled > written { return output }
    return try run(["swiftc", "-g", "-module-name", "main", "-parse-as-library", source, "-o", output] + flags, output)
  }

  private static func modified(_ path: String) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }

  private static func run(_ command: [String], _ output: String) throws -> String {
    let result = try ChildProcess.run(command)
    guard result.exitCode == 0 else { throw CompilationFailure(command: command, output: result.output + result.error) }
    return output
  }
}

/// A program of the tests that did not compile.
public struct CompilationFailure: Error {
  /// What was run.
  public let command: [String]
  /// What it said.
  public let output: String
}
