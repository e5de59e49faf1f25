// The process that is watched: one that was launched here, or one that ran before.

import CLinux
import ProcessMemory
import ToolSupport

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A command that was launched and waits before its first instruction, so that whatever watches it can be made ready.
///
/// No shell in between: the arguments reach the program as they are, and the process that is watched is the program.
/// Unless it is released, it ends without having run anything.
struct HeldProcess: ~Copyable {
  let processID: Int32
  private let command: String
  private let gate: Int32
  private let report: Int32

  init(_ arguments: [String], signalMask: sigset_t) throws(ToolFailure) {
    let words = arguments.map { strdup($0) }
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    var gate: Int32 = -1
    var report: Int32 = -1
    var mask = signalMask
    let code = cl_spawn_held(words.map { UnsafePointer($0) } + [nil], &mask, &child, &gate, &report)
    guard code == 0 else {
      throw ToolFailure(.softwareFault, "cannot start a process: \(String(cString: strerror(code)))")
    }
    processID = child
    command = arguments.first ?? ""
    self.gate = gate
    self.report = report
  }

  deinit {
    close(gate)
    close(report)
  }

  /// Lets the command begin; returns once its program is in place.
  consuming func release() throws(ToolFailure) -> WatchedProcess {
    var go: UInt8 = 1
    write(gate, &go, 1)
    if let failure = executionFailure() {
      waitpid(processID, nil, 0)
      throw describe(failure)
    }
    return WatchedProcess(processID: processID, isChild: true)
  }

  /// Waits until the new program is in place; an errno when it could not be.
  private func executionFailure() -> Int32? {
    var failure: Int32 = 0
    while true {
      let count = read(report, &failure, MemoryLayout<Int32>.size)
      if count < 0, errno == EINTR { continue }
      return count == MemoryLayout<Int32>.size ? failure : nil
    }
  }

  private func describe(_ code: Int32) -> ToolFailure {
    switch code {
    case ENOENT where !command.contains("/"):
      ToolFailure(.noInput, "command not found: \(command) (a program in this folder is started as ./\(command))")
    case ENOENT where access(command, F_OK) == 0:
      ToolFailure(.noInput, "cannot execute \(command): the interpreter that it names is missing")
    case ENOENT, ENOTDIR: ToolFailure(.noInput, "no such command: \(command)")
    case EACCES: ToolFailure(.notPermitted, "not permitted to execute \(command): it is no executable file")
    case ENOEXEC:
      ToolFailure(.noInput, "\(command) is not in a form that can be executed; is its first line #!/bin/sh?")
    default: ToolFailure(.noInput, "cannot execute \(command): \(String(cString: strerror(code)))")
    }
  }
}

/// The watched process, and what became of it.
struct WatchedProcess {
  let processID: Int32
  /// Whether it was launched here, so that its exit code can be known.
  let isChild: Bool
  private var waitStatus: Int32?

  init(processID: Int32, isChild: Bool) {
    self.processID = processID
    self.isChild = isChild
  }

  /// Looks whether a launched process has ended; does not wait for it.
  mutating func lookForEnd() {
    guard isChild, waitStatus == nil else { return }
    var status: Int32 = 0
    if waitpid(processID, &status, WNOHANG) == processID { waitStatus = status }
  }

  /// Ends a launched process that still runs: TERM, and KILL after ten seconds. Returns the signal that was needed;
  /// `nil` where it had ended already.
  mutating func stop() -> Int32? {
    lookForEnd()
    guard isChild, waitStatus == nil else { return nil }
    kill(processID, SIGTERM)
    // Looked for in short steps, since a pidfd is not everywhere.
    for _ in 0..<1000 {
      lookForEnd()
      if waitStatus != nil { return SIGTERM }
      usleep(10_000)
    }
    kill(processID, SIGKILL)
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    waitStatus = status
    return SIGKILL
  }

  /// How it ended, as far as is known: `exited with code 0`, `was ended by signal 11 (Segmentation fault)`, `ended`.
  var ending: String {
    guard waitStatus != nil else { return "ended" }
    guard let endingSignal else { return "exited with code \(exitCode ?? 0)" }
    return "was ended by signal \(endingSignal) (\(String(cString: strsignal(endingSignal))))"
  }

  /// Whether it is known to have ended.
  var hasEnded: Bool { waitStatus != nil }

  /// Whether it is known to have ended by a signal or with an exit code other than 0.
  var diedAbnormally: Bool { waitStatus.map { cl_exit_code($0) != 0 } ?? false }

  /// Its exit code, where it exited by itself.
  var exitCode: Int32? { waitStatus.flatMap { cl_exit_code($0) >= 0 ? cl_exit_code($0) : nil } }

  /// The signal that ended it.
  var endingSignal: Int32? { waitStatus.flatMap { cl_ending_signal($0) > 0 ? cl_ending_signal($0) : nil } }

  /// What a shell would report.
  var shellExitCode: Int32 { exitCode ?? endingSignal.map { 128 + $0 } ?? 0 }
}
