import Glibc

/// A program of this package that a benchmark measures, ended when the benchmark lets go of it.
final class LaunchedProgram {
  let processID: pid_t
  private let output: Int32

  /// Starts a program that lies beside the benchmarks; `nil` where it cannot be started.
  convenience init?(_ name: String, _ arguments: [String]) { self.init(path: Self.path(name), arguments) }

  /// Starts a line of shell.
  convenience init?(shell line: String) { self.init(path: "/bin/bash", ["-c", line]) }

  private init?(path: String, _ arguments: [String]) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    // One program at a time is started here, so nothing else can inherit the descriptors in between.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      close(ends[1])
    }
    let words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for case let word? in words { free(word) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, nil, words, environ)
    processID = pid
    output = ends[0]
    guard code == 0 else {
      print("  \(path) could not be run; `swift build -c release` builds it")
      return nil
    }
  }

  /// Where a program of this package is.
  static func path(_ name: String) -> String {
    let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return folder.isEmpty ? "./" + name : folder.joined(separator: "/") + "/" + name
  }

  /// The next line that it writes; `nil` at the end.
  func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1 {
      if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Reads until the end; waits for it, and returns what it used.
  func finish() -> rusage {
    while readLine() != nil {}
    var status: Int32 = 0
    var usage = rusage()
    wait4(processID, &status, 0, &usage)
    isReaped = true
    return usage
  }

  private var isReaped = false

  deinit {
    if !isReaped {
      kill(processID, SIGKILL)
      _ = finish()
    }
    close(output)
  }
}
