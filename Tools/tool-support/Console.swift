import CLinux

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Standard error and standard output as the tools use them. A closed or full one is no reason to stop measuring:
/// failures to write are ignored.
public enum Console {
  /// Makes sure that descriptors 0, 1 and 2 are open. Where one is closed, the next file opened would take its number,
  /// and messages would end up in a user's CSV.
  public static func openMissingStandardDescriptors() {
    for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      _ = open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY)
    }
  }

  /// Writes to standard error.
  public static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Writes to standard output.
  public static func writeOutput(_ text: String) { write(text, to: STDOUT_FILENO) }

  /// Writes a message to standard error as `tool: message`, and ends the program.
  public static func exit(_ code: ExitCode, _ message: String, tool: String) -> Never {
    writeError("\(tool): \(message)\n")
    Glibc.exit(code.rawValue)
  }

  /// Whether standard error is a terminal that can redraw a line.
  public static var errorIsTerminal: Bool { isTerminal(STDERR_FILENO) }

  /// Whether standard output is a terminal that can redraw a line.
  public static var outputIsTerminal: Bool { isTerminal(STDOUT_FILENO) }

  /// Columns of the terminal behind standard error; 80 where it does not say.
  public static var errorColumns: Int { size(STDERR_FILENO).columns }

  /// Lines of the terminal behind standard error; 24 where it does not say.
  public static var errorLines: Int { size(STDERR_FILENO).lines }

  /// Columns of the terminal behind standard output; 80 where it does not say.
  public static var outputColumns: Int { size(STDOUT_FILENO).columns }

  /// Whether colours are welcome: not where NO_COLOR is set to anything (no-color.org).
  public static var mayColor: Bool { getenv("NO_COLOR").map { $0.pointee == 0 } ?? true }

  private static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
  }

  private static func size(_ descriptor: Int32) -> (columns: Int, lines: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var written = 0
      while written < bytes.count, let base = bytes.baseAddress {
        let count = Glibc.write(descriptor, base + written, bytes.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        written += count
      }
    }
  }
}
