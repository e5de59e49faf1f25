import Foundation

/// Where recorded inputs and golden files of the tests are.
public enum Fixture {
  /// The folder `Tests/Fixtures` of this checkout, without a slash at the end.
  public static let root: String = {
    let thisFile = #filePath
    let folder = thisFile.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    return folder.joined(separator: "/") + "/Fixtures"
  }()

  /// The path of a recorded input or golden file below `Tests/Fixtures`.
  public static func path(_ relative: String) -> String { root + "/" + relative }
}

extension Fixture {
  /// The contents of a recorded input.
  public static func bytes(_ relative: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(relative))))
  }
}
