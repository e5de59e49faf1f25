/// What this module takes from `/proc/PID/status` (proc_pid_status(5)), in one pass without allocation.
struct StatusFile {
  /// `R`, `S`, `D`, `T`, `t`, `Z`, `X`, `I`; as in `ps`.
  var state: UInt8 = 0
  var threadCount: UInt64 = 0
  var userID: UInt64?
  var virtualBytes: UInt64?
  var peakResidentBytes: UInt64?
  var residentBytes: UInt64?
  var anonymousBytes: UInt64?
  var fileBytes: UInt64?
  var sharedBytes: UInt64?
  var swappedBytes: UInt64?

  /// Dead, or dying: what is left has no memory.
  var isZombie: Bool { state == UInt8(ascii: "Z") || state == UInt8(ascii: "X") }

  /// Stopped by a signal or by a tracer: it does nothing, so its memory says nothing.
  var isStopped: Bool { state == UInt8(ascii: "T") || state == UInt8(ascii: "t") }

  /// Reads the lines up to `Threads:`, the last that is wanted; they are 30 of some 60.
  init(_ bytes: UnsafeRawBufferPointer, path: String) throws(ProcessMemoryError) {
    var lines = LineScanner(bytes)
    var sawThreads = false
    while !sawThreads, let line = lines.next() {
      guard let first = line.first else { continue }
      switch first {
      case UInt8(ascii: "S"):
        if let value = line.after("State:") {
          var scanner = ByteScanner(value)
          scanner.skipBlanks()
          state = scanner.rest.first ?? 0
        }
      case UInt8(ascii: "U"):
        if let value = line.after("Uid:") {
          var scanner = ByteScanner(value)
          userID = scanner.takeDecimal()
        }
      case UInt8(ascii: "V"), UInt8(ascii: "R"):
        try readMemoryLine(line, path: path, lineNumber: lines.lineNumber)
      case UInt8(ascii: "T"):
        guard let value = line.after("Threads:") else { continue }
        var scanner = ByteScanner(value)
        guard let count = scanner.takeDecimal() else {
          throw .malformedFile(path: path, line: lines.lineNumber, problem: "a number of threads was expected")
        }
        threadCount = count
        sawThreads = true
      default:
        continue
      }
    }
    guard state != 0, sawThreads else {
      throw .malformedFile(
        path: path, line: max(lines.lineNumber, 1),
        problem: "the file ends without \(state == 0 ? "a State line" : "a Threads line")")
    }
  }

  private mutating func readMemoryLine(
    _ line: UnsafeRawBufferPointer, path: String, lineNumber: Int
  ) throws(ProcessMemoryError) {
    if let value = line.after("VmSize:") {
      virtualBytes = try value.kilobytes(path: path, line: lineNumber)
    } else if let value = line.after("VmHWM:") {
      peakResidentBytes = try value.kilobytes(path: path, line: lineNumber)
    } else if let value = line.after("VmRSS:") {
      residentBytes = try value.kilobytes(path: path, line: lineNumber)
    } else if let value = line.after("RssAnon:") {
      anonymousBytes = try value.kilobytes(path: path, line: lineNumber)
    } else if let value = line.after("RssFile:") {
      fileBytes = try value.kilobytes(path: path, line: lineNumber)
    } else if let value = line.after("RssShmem:") {
      sharedBytes = try value.kilobytes(path: path, line: lineNumber)
    } else if let value = line.after("VmSwap:") {
      swappedBytes = try value.kilobytes(path: path, line: lineNumber)
    }
  }
}
