import Glibc

/// What a finished program left behind.
public struct ProcessResult: Sendable {
  /// Its exit code, or 128 and the number of the signal that ended it.
  public let exitCode: Int32
  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let error: String
}

/// A program that a test runs, ended at the latest when the test lets go of it.
public final class ChildProcess {
  /// Its pid.
  public let processID: Int32
  private let outputEnd: Int32
  private let errorEnd: Int32
  private var exitCode: Int32?

  /// Starts a program; the first argument is looked up in PATH.
  ///
  /// - Throws: `POSIXFailure` where it cannot be started.
  public init(_ arguments: [String], environment: [String: String] = [:]) throws {
    var out: [Int32] = [0, 0]
    var err: [Int32] = [0, 0]
    // Socket pairs, because they can be made close-on-exec in one step: tests in parallel start programs too, and a
    // descriptor that slipped into one of those would keep this one's output open.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &out) == 0, socketpair(AF_UNIX, kind, 0, &err) == 0 else {
      throw POSIXFailure(code: errno)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, out[1], 1)
    posix_spawn_file_actions_adddup2(&actions, err[1], 2)
    // The threads that tests run on block signals, and a shell's background jobs ignore some; what a test starts must be reachable by them.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    var everySignal = sigset_t()
    sigfillset(&everySignal)
    posix_spawnattr_setsigdefault(&attributes, &everySignal)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
      close(out[1])
      close(err[1])
    }
    var variables = Self.currentEnvironment.filter { entry in
      !environment.keys.contains(String(entry.prefix { $0 != "=" }))
    }
    for (name, value) in environment { variables.append("\(name)=\(value)") }
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let settings: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for case let word? in words + settings { free(word) } }
    var pid: pid_t = 0
    let code = posix_spawnp(&pid, arguments[0], &actions, &attributes, words, settings)
    outputEnd = out[0]
    errorEnd = err[0]
    processID = pid
    if code != 0 {
      exitCode = 127
      throw POSIXFailure(code: code)
    }
  }

  /// Runs a program to its end.
  public static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> ProcessResult {
    let child = try ChildProcess(arguments, environment: environment)
    return child.finish()
  }

  /// Sends a signal.
  public func send(_ signal: Int32) { if exitCode == nil { kill(processID, signal) } }

  /// Reads one line of standard output; `nil` at its end.
  public func readLine() -> String? { Self.readLine(outputEnd) }

  /// Reads one line of standard error; `nil` at its end.
  public func readErrorLine() -> String? { Self.readLine(errorEnd) }

  private static func readLine(_ end: Int32) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(end, &byte, 1) == 1 {
      if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Waits for the end, reading what is written meanwhile.
  public func finish() -> ProcessResult {
    var texts: [[UInt8]] = [[], []]
    var open: [Int32] = [outputEnd, errorEnd]
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while open.contains(where: { $0 >= 0 }) {
      var descriptors = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      poll(&descriptors, 2, -1)
      for index in 0..<2 where descriptors[index].revents != 0 {
        let count = read(open[index], &chunk, chunk.count)
        if count > 0 { texts[index] += chunk[..<count] } else { open[index] = -1 }
      }
    }
    return ProcessResult(
      exitCode: wait(), output: String(decoding: texts[0], as: UTF8.self),
      error: String(decoding: texts[1], as: UTF8.self))
  }

  /// Waits for the end without reading.
  @discardableResult
  public func wait() -> Int32 {
    if let exitCode { return exitCode }
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    exitCode = code
    return code
  }

  deinit {
    if exitCode == nil {
      kill(processID, SIGKILL)
      wait()
    }
    close(outputEnd)
    close(errorEnd)
  }

  private static var currentEnvironment: [String] {
    var found: [String] = []
    var entry = environ
    while let text = entry.pointee {
      found.append(String(cString: text))
      entry += 1
    }
    return found
  }
}

/// A system call that failed.
public struct POSIXFailure: Error {
  /// The `errno`.
  public let code: Int32
}

/// The executables of this package, as `swift build` left them beside the tests.
public enum BuiltProduct {
  /// The path of an executable of this package.
  public static func path(_ name: String) -> String {
    // The tests run from the build folder's own test runner; the executables are in the same folder.
    let runner = (try? readProgramPath()) ?? ""
    var folder = runner.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    if access("\(folder)/\(name)", X_OK) != 0 { folder = Fixture.root + "/../../.build/debug" }
    return "\(folder)/\(name)"
  }

  private static func readProgramPath() throws -> String {
    // Where the toolchain's helper loads the tests as a library, the command line names it.
    let candidates = CommandLine.arguments.filter { $0.contains(".xctest") }
    if let found = candidates.first { return found }
    var buffer = [CChar](repeating: 0, count: 4097)
    let count = readlink("/proc/self/exe", &buffer, 4096)
    guard count > 0 else { throw POSIXFailure(code: errno) }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
