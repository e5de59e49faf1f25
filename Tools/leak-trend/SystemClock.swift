// Time and waiting as the system has them: one poll over a timer, the signals, and the target's end.

import CLinux
import MemoryRecording
import ToolSupport

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Waits for the next sample, a signal or the end of the target, whichever comes first.
///
/// The clock is CLOCK_BOOTTIME: a laptop that sleeps through the night leaves a gap in the record, as it should.
struct SystemClock: RecordingClock, ~Copyable {
  private let start: Double
  private let timer: Int32
  private let signals: Int32
  private let exitDescriptor: Int32?
  private let childProcessID: Int32?

  private let onSuspend: () -> Void

  /// The signals that are read here rather than delivered. They are blocked from then on; `previousMask` is what a
  /// launched command must get back.
  ///
  /// A signal that is ignored stays ignored (`nohup` ignores SIGHUP): once blocked, it would be read like any other.
  static func blockSignals() -> (blocked: sigset_t, previousMask: sigset_t) {
    var set = sigset_t()
    var previous = sigset_t()
    sigemptyset(&set)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] where cl_signal_is_ignored(signal) == 0 {
      sigaddset(&set, signal)
    }
    for signal in [SIGWINCH, SIGCHLD] { sigaddset(&set, signal) }
    sigprocmask(SIG_BLOCK, &set, &previous)
    return (set, previous)
  }

  /// - Parameters:
  ///   - signals: as `blockSignals` returned them.
  ///   - exitDescriptor: becomes readable when the target ends.
  ///   - childProcessID: the target, where it was launched here.
  ///   - onSuspend: called before this program is stopped by Ctrl-Z, to leave the terminal as it was.
  init(
    signals set: sigset_t, exitDescriptor: Int32?, childProcessID: Int32?, onSuspend: @escaping () -> Void
  ) throws(ToolFailure) {
    self.onSuspend = onSuspend
    var set = set
    timer = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    signals = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    self.exitDescriptor = exitDescriptor
    self.childProcessID = childProcessID
    start = Self.now(CLOCK_BOOTTIME)
    guard timer >= 0, signals >= 0 else {
      throw ToolFailure(.softwareFault, "cannot set up a timer: \(String(cString: strerror(errno)))")
    }
  }

  var elapsed: Double { Self.now(CLOCK_BOOTTIME) - start }
  var unixTime: Double { Self.now(CLOCK_REALTIME) }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  mutating func wait(until moment: Double) -> RecordingWake {
    arm(start + moment)
    while true {
      var descriptors = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        pollfd(fd: exitDescriptor ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&descriptors, nfds_t(descriptors.count), -1)
      if count < 0, errno == EINTR { continue }
      // Someone's wish to stop comes first; the target's end before a sample that could not be taken any more.
      if descriptors[0].revents != 0, let wake = takeSignal() { return wake }
      if descriptors[1].revents != 0 { return .targetEnded }
      if descriptors[2].revents != 0 {
        var expirations: UInt64 = 0
        read(timer, &expirations, MemoryLayout<UInt64>.size)
        return .due
      }
    }
  }

  private func arm(_ moment: Double) {
    // An infinite or past moment would disarm the timer or be refused; both are brought into its range.
    let seconds = min(max(moment, 1e-6), 4e9)
    var setting = itimerspec()
    setting.it_value.tv_sec = Int(seconds)
    setting.it_value.tv_nsec = min(Int((seconds - Double(Int(seconds))) * 1e9), 999_999_999)
    timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }

  private func takeSignal() -> RecordingWake? {
    var information = signalfd_siginfo()
    guard read(signals, &information, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size
    else { return nil }
    switch Int32(bitPattern: information.ssi_signo) {
    case SIGWINCH: return .attention
    case SIGTSTP:
      onSuspend()
      kill(getpid(), SIGSTOP)
      // Running again: what was shown has to be shown anew.
      return .attention
    case SIGCHLD:
      // Only the end of the child counts; it may also have been stopped or continued. Left to be reaped by its owner.
      guard let childProcessID else { return nil }
      var status = siginfo_t()
      let found = waitid(P_PID, id_t(childProcessID), &status, WEXITED | WNOHANG | WNOWAIT)
      return found == 0 && status.si_signo == SIGCHLD ? .targetEnded : nil
    case let signal: return .stopRequested(signal: signal)
    }
  }

  deinit {
    close(timer)
    close(signals)
  }
}
