/// What a thread was doing when it was looked at.
public enum ThreadState: Hashable, Sendable {
  /// On a processor, or waiting for one.
  case running
  /// Waiting, in this system call.
  case sleeping(in: String?)
  /// Waiting for a device, uninterruptibly.
  case blocked(in: String?)
  /// Stopped by a signal, as with Ctrl-Z.
  case stopped
  /// Another state of the kernel's: its letter in `/proc/PID/task/TID/stat` (proc_pid_stat(5)).
  case other(String)

  init(letter: Character, systemCall: String?) {
    self =
      switch letter {
      case "R": .running
      case "S": .sleeping(in: systemCall)
      case "D": .blocked(in: systemCall)
      case "T", "t": .stopped
      default: .other(String(letter))
      }
  }
}

extension ThreadState: CustomStringConvertible {
  /// `running`, `sleeping in epoll_wait`.
  public var description: String {
    switch self {
    case .running: "running"
    case .sleeping(let call): "sleeping" + (call.map { " in \($0)" } ?? "")
    case .blocked(let call): "waiting for a device" + (call.map { " in \($0)" } ?? "")
    case .stopped: "stopped"
    case .other("Z"): "ended"
    case .other(let letter): "in state \(letter)"
    }
  }
}
