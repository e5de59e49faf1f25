import ProcessMemory

/// What a tool exits with when a process could not be read.
public func processMemoryExitCode(_ error: ProcessMemoryError) -> ExitCode {
  switch error {
  case .permissionDenied: .notPermitted
  case .noSuchProcess, .processEnded, .processReplaced, .kernelThread: .noInput
  default: .softwareFault
  }
}
