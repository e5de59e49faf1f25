// The little grammar that the kernel's text files share: lines, "Key:   value kB", numbers between blanks.

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A run of bytes of a file, read from the front. Every step checks its bounds; nothing is copied.
package struct ByteScanner {
  package private(set) var rest: UnsafeRawBufferPointer

  package init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  package var isAtEnd: Bool { rest.isEmpty }

  /// Takes bytes up to `delimiter`, which is taken too and left out of the result; all of the rest where there is none.
  package mutating func take(upTo delimiter: UInt8) -> UnsafeRawBufferPointer {
    guard let base = rest.baseAddress, let found = memchr(base, Int32(delimiter), rest.count) else {
      defer { rest = UnsafeRawBufferPointer(rebasing: rest[rest.endIndex...]) }
      return rest
    }
    let length = UnsafeRawPointer(found) - base
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[(length + 1)...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<length])
  }

  /// Passes over blanks (space and tab).
  package mutating func skipBlanks() {
    var index = 0
    while index < rest.count, rest[index] == 0x20 || rest[index] == 0x09 { index += 1 }
    rest = UnsafeRawBufferPointer(rebasing: rest[index...])
  }

  /// Takes an unsigned decimal number after blanks; `nil` where there is none or it does not fit 64 bits.
  package mutating func takeDecimal() -> UInt64? {
    skipBlanks()
    return takeNumber(radix: 10)
  }

  /// Takes an unsigned hexadecimal number that starts here.
  mutating func takeHexadecimal() -> UInt64? { takeNumber(radix: 16) }

  /// Takes this byte, if it is the next.
  package mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest = UnsafeRawBufferPointer(rebasing: rest[1...])
    return true
  }

  private mutating func takeNumber(radix: UInt64) -> UInt64? {
    var value: UInt64 = 0
    var index = 0
    while index < rest.count, let digit = Self.digit(rest[index], radix: radix) {
      let (scaled, overflowed) = value.multipliedReportingOverflow(by: radix)
      let (sum, carried) = scaled.addingReportingOverflow(digit)
      if overflowed || carried { return nil }
      value = sum
      index += 1
    }
    guard index > 0 else { return nil }
    rest = UnsafeRawBufferPointer(rebasing: rest[index...])
    return value
  }

  private static func digit(_ byte: UInt8, radix: UInt64) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte &- 0x30)
    case 0x61...0x66 where radix == 16: UInt64(byte &- 0x61 &+ 10)
    case 0x41...0x46 where radix == 16: UInt64(byte &- 0x41 &+ 10)
    default: nil
    }
  }
}

/// The lines of a file, numbered from 1.
struct LineScanner {
  private var scanner: ByteScanner
  private(set) var lineNumber = 0

  init(_ bytes: UnsafeRawBufferPointer) { scanner = ByteScanner(bytes) }

  mutating func next() -> UnsafeRawBufferPointer? {
    guard !scanner.isAtEnd else { return nil }
    lineNumber += 1
    return scanner.take(upTo: 0x0A)
  }
}

extension UnsafeRawBufferPointer {
  /// What follows `key` where the bytes begin with it.
  func after(_ key: StaticString) -> UnsafeRawBufferPointer? {
    let length = key.utf8CodeUnitCount
    guard count >= length, let base = baseAddress, memcmp(base, key.utf8Start, length) == 0 else { return nil }
    return UnsafeRawBufferPointer(rebasing: self[length...])
  }

  /// The amount in `"  123 kB"`, in bytes.
  func kilobytes(path: String, line: Int) throws(ProcessMemoryError) -> UInt64 {
    var scanner = ByteScanner(self)
    guard let amount = scanner.takeDecimal() else {
      throw .malformedFile(path: path, line: line, problem: "a number of kB was expected")
    }
    scanner.skipBlanks()
    guard scanner.rest.after("kB") != nil else {
      throw .malformedFile(path: path, line: line, problem: "the unit kB was expected")
    }
    let (bytes, overflowed) = amount.multipliedReportingOverflow(by: 1024)
    guard !overflowed else {
      throw .malformedFile(path: path, line: line, problem: "\(amount) kB does not fit 64 bits of bytes")
    }
    return bytes
  }
}
