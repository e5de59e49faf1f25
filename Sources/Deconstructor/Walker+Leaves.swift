// Floor 4, walk: values that are one word of text.
import MeasurementText
import SwiftMetadata

extension Walker {
  /// Writes the text of a leaf to the texts.
  mutating func writeLeaf(_ address: UnsafeRawPointer, _ number: UInt32, _ form: Form) {
    switch form.handling {
    case .int64: texts.append(signed: address.load(as: Int64.self))
    case .int32: texts.append(signed: Int64(address.load(as: Int32.self)))
    case .int16: texts.append(signed: Int64(address.load(as: Int16.self)))
    case .int8: texts.append(signed: Int64(address.load(as: Int8.self)))
    case .uint64: texts.append(number: address.load(as: UInt64.self))
    case .uint32: texts.append(number: UInt64(address.load(as: UInt32.self)))
    case .uint16: texts.append(number: UInt64(address.load(as: UInt16.self)))
    case .uint8: texts.append(number: UInt64(address.load(as: UInt8.self)))
    case .double: texts.append(text: address.load(as: Double.self).description)
    case .float: texts.append(text: address.load(as: Float.self).description)
    case .bool: texts.append(address.load(as: UInt8.self) & 1 == 0 ? "false" : "true" as StaticString)
    case .string:
      countStorage(ofStringAt: address)
      writeQuoted(address.assumingMemoryBound(to: String.self).pointee)
    case .substring: writeQuoted(String(address.assumingMemoryBound(to: Substring.self).pointee))
    case .character: writeQuoted(String(address.assumingMemoryBound(to: Character.self).pointee))
    case .pointer: writePointer(address.load(as: UnsafeRawPointer?.self))
    case .bufferPointer: writeBuffer(address, number)
    case .date: texts.append(text: DateText.format(secondsSince2001: address.load(as: Double.self)))
    case .foreign: writeForeign(address, form)
    case .metatype:
      writeMetatype(form.inner == 0 ? address.load(as: UnsafeRawPointer?.self) : forms[form.inner].metadata)
    case .task: texts.append("a task")
    case .existentialMetatype: writeMetatype(address.load(as: UnsafeRawPointer?.self))
    case .described: writeDescription(of: any(address, form))
    default: texts.append("unreadable")
    }
  }

  private mutating func writePointer(_ pointer: UnsafeRawPointer?) {
    if options.showsAddresses || pointer == nil {
      texts.append(text: pointer == nil ? "nil" : hexadecimal(pointer))
    } else {
      texts.append("not nil")
    }
  }

  private mutating func writeBuffer(_ address: UnsafeRawPointer, _ number: UInt32) {
    let first = address.load(as: UnsafeRawPointer?.self)
    let second = address.load(fromByteOffset: MetadataLayout.wordSize, as: Int.self)
    // Raw buffers keep start and end, typed ones start and count.
    let isRaw = forms.plan(number)?.name.contains("Raw") ?? false
    let count = isRaw ? (first == nil ? 0 : second &- Int(bitPattern: first)) : second
    texts.append(text: counted(count, isRaw ? "byte" : "element"))
    if options.showsAddresses { texts.append(text: " at \(hexadecimal(first))") }
  }

  /// A value of C: an enum by its number, what has no other name by its bytes.
  private mutating func writeForeign(_ address: UnsafeRawPointer, _ form: Form) {
    guard let metadata = form.metadata else { return }
    let type = TypeMetadata(pointer: metadata)
    let isEnum = type.kind == .enum || type.type is any RawRepresentable.Type
    guard isEnum, let number = Self.integer(address, size: form.size) else {
      texts.append(text: counted(form.size, "byte") + ": 0x")
      return writeHexadecimal(UnsafeRawBufferPointer(start: address, count: min(form.size, 64)))
    }
    texts.append(text: "\(names.text(form.name))(rawValue: \(number))")
  }

  private static func integer(_ address: UnsafeRawPointer, size: Int) -> Int64? {
    switch size {
    case 1: Int64(address.load(as: UInt8.self))
    case 2: Int64(address.load(as: UInt16.self))
    case 4: Int64(address.load(as: Int32.self))
    case 8: address.load(as: Int64.self)
    default: nil
    }
  }

  private mutating func writeHexadecimal(_ bytes: UnsafeRawBufferPointer) {
    let digits = Array("0123456789abcdef".utf8)
    for byte in bytes {
      texts.append(digits[Int(byte >> 4)])
      texts.append(digits[Int(byte & 15)])
    }
  }

  private mutating func writeMetatype(_ pointer: UnsafeRawPointer?) {
    guard let pointer else { return texts.append("nil") }
    texts.append(text: TypePlan.of(TypeMetadata(pointer: pointer)).name)
    texts.append(".self")
  }

  // MARK: Descriptions

  /// Writes what a type of the toolchain says of its value.
  mutating func writeDescription(of value: Any) {
    if writeBytes(of: value) { return }
    if let text = value as? StaticString { return writeQuoted(text.description) }
    let text = UserCode.run { () -> String in
      switch value {
      case is AnyKeyPath, is Unicode.Scalar: String(reflecting: value)
      case let described as any CustomStringConvertible: described.description
      default: String(reflecting: value)
      }
    }
    writeLine(options.showsAddresses ? text : Self.withoutAddresses(text))
  }

  /// Foundation's `Data`: its length, and how it begins.
  private mutating func writeBytes(of value: Any) -> Bool {
    let name = TypePlan.of(type(of: value)).qualifiedName
    guard name == "Foundation.Data" || name == "FoundationEssentials.Data",
      let bytes = value as? any Collection<UInt8>
    else { return false }
    func start(_ bytes: some Collection<UInt8>) -> (Int, [UInt8]) { (bytes.count, Array(bytes.prefix(16))) }
    let (count, shown) = start(bytes)
    texts.append(text: counted(count, "byte"))
    guard !shown.isEmpty else { return true }
    texts.append(": 0x")
    shown.withUnsafeBytes { writeHexadecimal($0) }
    if count > shown.count { texts.append("…") }
    return true
  }

  /// Addresses differ from run to run.
  private static func withoutAddresses(_ text: String) -> String {
    guard text.contains("0x") else { return text }
    var output = ""
    var rest = text[...]
    while let range = rest.firstRange(of: "0x") {
      output += rest[..<range.lowerBound]
      let digits = rest[range.upperBound...].prefix { $0.isHexDigit }
      output += digits.count >= 6 ? "…" : rest[range.lowerBound..<digits.endIndex]
      rest = rest[digits.endIndex...]
    }
    return output + rest
  }

  // MARK: Strings

  /// Counts the storage of a long string (`StringObject.swift`): an object of its own unless the four highest bits of the second
  /// word say that the text is a literal, is small, or is foreign.
  private mutating func countStorage(ofStringAt address: UnsafeRawPointer) {
    let word = address.load(fromByteOffset: MetadataLayout.wordSize, as: UInt.self)
    guard word >> 60 == 0, let object = UnsafeRawPointer(bitPattern: word & 0x0FFF_FFFF_FFFF_FFFF) else { return }
    _ = reach(HeapReference(object), estimated: 0)
  }

  /// Writes a string between quotation marks, as a literal of Swift is written.
  mutating func writeQuoted(_ text: String) {
    texts.append(UInt8(ascii: "\""))
    let left = writeEscaped(text, quotes: true)
    if left > 0 { texts.append("…") }
    texts.append(UInt8(ascii: "\""))
    if left > 0 { texts.append(text: " and \(NumberText.grouped(left)) more bytes") }
  }

  /// Writes a text of someone else's as part of a line.
  mutating func writeLine(_ text: String) {
    let left = writeEscaped(text, quotes: false)
    if left > 0 { texts.append(text: "… and \(NumberText.grouped(left)) more bytes") }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F
  }

  /// Writes a text up to the limit; how many bytes of it are left.
  private mutating func writeEscaped(_ text: String, quotes: Bool) -> Int {
    var text = text
    let limit = options.stringLimit
    return text.withUTF8 { bytes in
      // Most texts stand as they are.
      if bytes.count <= limit, bytes.allSatisfy(Self.isPlain) {
        texts.append(contentsOf: bytes)
        return 0
      }
      var index = 0
      var scalars = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte & 0xC0 != 0x80 {
          if scalars == limit { return bytes.count - index }
          scalars &+= 1
        }
        index &+= 1
        switch byte {
        case 0x20...0x21, 0x23...0x5B, 0x5D...0x7E, 0x80...: texts.append(byte)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
          if quotes { texts.append(UInt8(ascii: "\\")) }
          texts.append(byte)
        case 0x0A: texts.append("\\n")
        case 0x0D: texts.append("\\r")
        case 0x09: texts.append("\\t")
        default: texts.append(text: "\\u{\(String(byte, radix: 16))}")
        }
      }
      return 0
    }
  }
}
