// Lines in, declarations out: strings of the command line, a stream, or text passed through.

import FoundationEssentials
import MeasurementText
import Symbolication
import ToolSupport
import TypeEncodings

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Decodes what it is given and keeps in mind whether anything went wrong.
struct DecodeSession {
  private let options: DecodeOptions
  private let decoder: LineDecoder
  private var output = OutputBuffer()
  private(set) var hasFailed = false

  init(options: DecodeOptions) {
    self.options = options
    decoder = LineDecoder(options: options)
  }

  // MARK: Strings

  /// Each string of the command line: its declaration, or what is wrong with it and the best effort.
  mutating func runStrings() {
    for text in options.strings {
      if options.isFilter {
        output.append(line: DecodeFilter.decoded(text, options: options))
        continue
      }
      let line = decoder.decode(text)
      hasFailed = hasFailed || line.hasFailed
      if options.isJSON {
        output.append(line: DecodeReport(line, options: options).json)
        continue
      }
      guard line.hasFailed else {
        output.append(line: line.text)
        continue
      }
      output.flush()
      Console.writeError(DecodeMessage.block(for: line))
      output.append(line: "best effort: " + line.text)
    }
    output.flush()
  }

  // MARK: Lines

  /// Each line of standard input or a file, one line out for one line in.
  mutating func runLines() throws(ToolFailure) {
    var input = try LineInput(file: options.file)
    var number = 0
    while let lines = try input.next() {
      for line in lines {
        number += 1
        append(line, number)
      }
      // What has arrived is answered before more is waited for.
      output.flush()
    }
  }

  private mutating func append(_ text: String, _ number: Int) {
    if options.isFilter { return output.append(line: DecodeFilter.decoded(text, options: options)) }
    let line = decoder.decode(text)
    output.append(line: options.isJSON ? DecodeReport(line, options: options).json : DecodeMessage.oneLine(line.text))
    guard line.hasFailed else { return }
    hasFailed = true
    output.flush()
    Console.writeError("line \(number): " + DecodeMessage.block(for: line))
  }
}

/// Standard output in large pieces.
struct OutputBuffer {
  private var text: [UInt8] = []
  private static let size = 1 << 16

  mutating func append(line: String) {
    text.append(contentsOf: line.utf8)
    text.append(UInt8(ascii: "\n"))
    if text.count >= Self.size { flush() }
  }

  mutating func flush() {
    text.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count, let base = bytes.baseAddress {
        let count = Glibc.write(STDOUT_FILENO, base + written, bytes.count - written)
        if count < 0, errno == EINTR { continue }
        // The reader has gone: nobody wants the rest.
        guard count > 0 else { exit(ExitCode.success.rawValue) }
        written += count
      }
    }
    text.removeAll(keepingCapacity: true)
  }
}

/// Lines of a file or of standard input, as many at a time as have arrived.
struct LineInput {
  private let descriptor: Int32
  private var pending: [UInt8] = []
  private var hasEnded = false
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Opens a file; standard input for `nil` and `-`.
  init(file: String?) throws(ToolFailure) {
    guard let file, file != "-" else {
      descriptor = STDIN_FILENO
      return
    }
    descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ToolFailure(
        .noInput, "\(LineText.bounded(file, limit: 400)) cannot be read: \(String(cString: strerror(errno)))")
    }
  }

  /// The lines that have arrived since, without their ends; waits for the first. `nil` after the last.
  mutating func next() throws(ToolFailure) -> [String]? {
    guard !hasEnded else { return nil }
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ToolFailure(.noInput, "the input cannot be read: \(String(cString: strerror(errno)))")
      }
      guard count > 0 else {
        hasEnded = true
        return pending.isEmpty ? nil : [Self.text(pending[...])]
      }
      let lines = take(count)
      if !lines.isEmpty { return lines }
    }
  }

  /// Takes the lines that end in the first `count` bytes of the buffer.
  private mutating func take(_ count: Int) -> [String] {
    var lines: [String] = []
    var start = 0
    while start < count, let end = buffer[start..<count].firstIndex(of: UInt8(ascii: "\n")) {
      if pending.isEmpty {
        lines.append(Self.text(buffer[start..<end]))
      } else {
        pending.append(contentsOf: buffer[start..<end])
        lines.append(Self.text(pending[...]))
        pending.removeAll(keepingCapacity: true)
      }
      start = end + 1
    }
    pending.append(contentsOf: buffer[start..<count])
    return lines
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    // Lines of files from elsewhere end in two bytes.
    String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self)
  }
}
