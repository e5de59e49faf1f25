/// Runs the tools of this package as a user does.
public enum Tool {
  /// Runs leak-trend to its end.
  public static func leakTrend(_ arguments: String...) throws -> ProcessResult {
    try ChildProcess.run([BuiltProduct.path("leak-trend")] + arguments)
  }

  /// Runs a line of shell in which `leak-trend`, `introspect` and `scenario` are the built ones.
  public static func shell(_ line: String) throws -> ProcessResult {
    let folder = BuiltProduct.path("").dropLast()
    return try ChildProcess.run(["bash", "-c", "PATH='\(folder)':$PATH; " + line])
  }
}
