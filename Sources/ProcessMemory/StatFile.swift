/// What this module takes from `/proc/PID/stat` (proc_pid_stat(5)), in one pass without allocation.
///
/// The command (field 2) may hold anything, closing parentheses, blanks and newlines included; the fields after it hold
/// only letters, digits and signs, so it ends at the **last** closing parenthesis.
struct StatFile {
  /// Field 4.
  var parentProcessID: Int32
  /// Field 9, a bit of it (PF_KTHREAD of the kernel's sched.h): a thread of the kernel, with no memory of its own.
  var isKernelThread: Bool
  /// Field 10.
  var minorFaults: UInt64
  /// Field 12.
  var majorFaults: UInt64
  /// Field 22: clock ticks between the start of the machine and of the process.
  var startTime: UInt64

  init(_ bytes: UnsafeRawBufferPointer, path: String) throws(ProcessMemoryError) {
    var afterCommand = ByteScanner(try Self.fieldsAfterCommand(bytes, path: path))
    var values: (parent: UInt64, flags: UInt64, minor: UInt64, major: UInt64) = (0, 0, 0, 0)
    for field in 3... {
      afterCommand.skipBlanks()
      switch field {
      case 4, 9, 10, 12, 22:
        guard let value = afterCommand.takeDecimal() else {
          throw .malformedFile(path: path, line: 1, problem: "field \(field) is not a number")
        }
        switch field {
        case 4: values.parent = value
        case 9: values.flags = value
        case 10: values.minor = value
        case 12: values.major = value
        default:
          parentProcessID = Int32(clamping: values.parent)
          isKernelThread = values.flags & 0x0020_0000 != 0
          (minorFaults, majorFaults, startTime) = (values.minor, values.major, value)
          return
        }
      default:
        guard !afterCommand.isAtEnd else {
          throw .malformedFile(path: path, line: 1, problem: "the file ends before field \(field)")
        }
        _ = afterCommand.take(upTo: 0x20)
      }
    }
    throw .malformedFile(path: path, line: 1, problem: "the file ends early")
  }

  private static func fieldsAfterCommand(
    _ bytes: UnsafeRawBufferPointer, path: String
  ) throws(ProcessMemoryError) -> UnsafeRawBufferPointer {
    guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else {
      throw .malformedFile(path: path, line: 1, problem: "no command in parentheses")
    }
    return UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
  }
}
