/// Why a tool cannot do what it was asked: one line for a person, one code for a script.
public struct ToolFailure: Error {
  /// What the tool exits with.
  public let code: ExitCode
  /// One line: what is wrong, and what to do about it.
  public let message: String

  /// Why a tool cannot do what it was asked.
  public init(_ code: ExitCode, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// The version that the tools report.
public let toolVersion = "0.1.0"
