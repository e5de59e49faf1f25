/// The exit codes of the tools, so that a script can tell what happened without reading text.
public enum ExitCode: Int32, Sendable {
  /// Done; for leak-trend: stable or shrinking.
  case success = 0
  /// leak-trend: growing. Other tools: something could not be done, as said on standard error.
  case failure = 1
  /// leak-trend: not enough evidence, or evidence that may not be used.
  case inconclusive = 2
  /// leak-trend: the program that was launched ended by a signal or with an exit code of its own that is not 0.
  case targetDied = 3
  /// The command line is wrong (sysexits' EX_USAGE).
  case usage = 64
  /// There is no such process, program or file to read (EX_NOINPUT).
  case noInput = 66
  /// A fault of the tool itself or of the system under it (EX_SOFTWARE).
  case softwareFault = 70
  /// Not permitted (EX_NOPERM).
  case notPermitted = 77

  /// What a shell reports for a program that a signal ended, for use after everything has been written.
  public static func endedBySignal(_ signal: Int32) -> Int32 { 128 + signal }
}
