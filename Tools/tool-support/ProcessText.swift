import ProcessMemory

/// What a tool exits with when a process could not be read.
public func processMemoryExitCode(_ error: ProcessMemoryError) -> ExitCode {
  switch error {
  case .permissionDenied: .notPermitted
  case .noSuchProcess, .processEnded, .processReplaced, .kernelThread: .noInput
  default: .softwareFault
  }
}

/// A command line or file name may hold anything; here it takes one line, of a bounded length.
public func onOneLine(_ text: String, limit: Int = 100) -> String {
  let plain = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : Character($0) }
  return plain.count <= limit ? String(plain) : String(plain.prefix(limit - 1)) + "…"
}
