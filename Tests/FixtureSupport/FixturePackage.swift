import Foundation

/// Packages of `Tests/Fixtures/packages`, which depend on this one by path as a user's would.
public enum FixturePackage {
  /// Where a package is built, below `.build`: kept between runs, since most of it is this package.
  public static func scratch(_ name: String) -> String { Fixture.root + "/../../.build/fixture-packages/" + name }

  /// Runs `swift build` or `swift test` on a package.
  ///
  /// - Parameters:
  ///   - package: its folder's name.
  ///   - scratch: what the place it is built in is called, if it is built in several ways.
  public static func swift(
    _ verb: String, _ package: String, scratch name: String? = nil, _ arguments: [String] = []
  ) throws -> ProcessResult {
    let folder = Fixture.path("packages/" + package)
    // SwiftPM plans a build anew when the package itself has changed; files that are new in one it depends on by path would be
    // missed.
    utimes(folder + "/Package.swift", nil)
    return try ChildProcess.run(
      ["swift", verb, "--package-path", folder, "--scratch-path", scratch(name ?? package)] + arguments)
  }
}
