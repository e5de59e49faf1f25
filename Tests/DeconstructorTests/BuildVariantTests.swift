import FixtureSupport
import Testing

/// Programs built in other ways than this one: without reflection metadata, with the standard library linked in.
@Suite struct BuildVariantTests {
  /// Where the programs are, built once. The package depends on this one, so what is tested is what is here.
  private static let folder: Result<String, BuildFailure> = {
    let result = Result { try FixturePackage.swift("build", "reflection", ["--static-swift-stdlib", "--quiet"]) }
    guard case .success(let built) = result, built.exitCode == 0 else {
      return .failure(BuildFailure(output: (try? result.get()).map { $0.output + $0.error } ?? "\(result)"))
    }
    return .success(FixturePackage.scratch("reflection") + "/debug")
  }()

  struct BuildFailure: Error {
    var output: String
  }

  @Test(arguments: ["stripped", "plain"])
  func program(name: String) throws {
    let result = try ChildProcess.run([Self.folder.get() + "/" + name])
    #expect(result.exitCode == 0)
    #expect(result.error == "")
    let found = difference(result.output, "deconstruct/program-\(name).txt")
    #expect(found == nil)
  }

  @Test func theProgramsNeedNoSwiftLibraries() throws {
    let result = try ChildProcess.run(["ldd", Self.folder.get() + "/plain"])
    #expect(!result.output.contains("libswift"))
  }
}
