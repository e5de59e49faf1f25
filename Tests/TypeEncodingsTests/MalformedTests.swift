// Hostile and malformed input: an error with a place, or best-effort text, in bounded time and stack.
import FixtureSupport
import Foundation
import Testing
import TypeEncodings

/// A line of malformed.txt.
struct MalformedInput: Sendable, CustomTestStringConvertible {
  var kind: String
  var text: String
  var selector: String
  var testDescription: String { "\(kind) \(text.prefix(40))" }

  static let all: [MalformedInput] = {
    guard let text = try? String(contentsOfFile: Fixture.path("encodings/malformed.txt"), encoding: .utf8) else {
      return []
    }
    return text.split(separator: "\n", omittingEmptySubsequences: true).compactMap { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard !line.hasPrefix("#"), cells.count == 3 else { return nil }
      let selector = cells[2].components(separatedBy: "sel=").dropFirst().first ?? "-m:"
      return MalformedInput(
        kind: cells[0], text: String(decoding: expanded(cells[1]), as: UTF8.self), selector: selector)
    }
  }()

  /// Escapes, and rules such as `=rep("^",1000)+"i"`.
  private static func expanded(_ cell: String) -> [UInt8] {
    guard cell.hasPrefix("=") else { return unescaped(cell[...]) }
    var bytes: [UInt8] = []
    var rest = cell.dropFirst()
    while !rest.isEmpty {
      let isRepeat = rest.hasPrefix("rep(")
      if isRepeat { rest = rest.dropFirst(4) }
      var end = rest.index(after: rest.startIndex)
      while end < rest.endIndex, rest[end] != "\"" { end = rest.index(end, offsetBy: rest[end] == "\\" ? 2 : 1) }
      let piece = unescaped(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
      var count = 1
      if isRepeat {
        rest = rest.dropFirst()
        let digits = rest.prefix { $0.isNumber }
        count = Int(digits) ?? 0
        rest = rest.dropFirst(digits.count + 1)
      }
      for _ in 0..<count { bytes += piece }
      if rest.hasPrefix("+") { rest = rest.dropFirst() }
    }
    return bytes
  }

  private static func unescaped(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let first = rest.first {
      rest = rest.dropFirst()
      guard first == "\\", let letter = rest.first else {
        bytes += Array(String(first).utf8)
        continue
      }
      rest = rest.dropFirst()
      switch letter {
      case "x":
        bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      case "0": bytes.append(0)
      case "n": bytes.append(10)
      case "t": bytes.append(9)
      default: bytes += Array(String(letter).utf8)
      }
    }
    return bytes
  }
}

@Suite("Malformed input")
struct MalformedTests {
  @Test("the file is read") func isRead() { #expect(MalformedInput.all.count > 190) }

  @Test(
    "types, methods, properties and blocks",
    arguments: MalformedInput.all.filter { $0.kind != "swift" && $0.kind != "cxx" })
  func encodings(_ input: MalformedInput) {
    let count = input.text.utf8.count
    func check(_ error: TypeEncodingError?, _ text: String) {
      guard let error else { return }
      #expect((0...count).contains(error.offset))
      #expect(!error.expected.isEmpty && !error.description.isEmpty)
      #expect((error.found == nil) == (error.offset == count))
      #expect(!text.isEmpty)
    }
    switch input.kind {
    case "type":
      let (encoding, error) = TypeEncoding.lenient(input.text)
      check(error, encoding.declaration(style: DeclarationStyle(expandedLevels: 9)))
    case "method":
      let (method, error) = MethodEncoding.lenient(types: input.text, selector: input.selector)
      check(error, method.declaration())
    case "property":
      let (property, error) = PropertyEncoding.lenient(attributes: input.text, name: "p")
      check(error, property.declaration())
    default:
      let (block, error) = BlockSignature.lenient(input.text)
      check(error, block.declaration())
    }
  }

  @Test(
    "mistakes are named, and placed at their byte",
    arguments: [
      ("{CGRect={CGPoint=dd", 19, "a struct that is never closed"), ("(U=i}", 4, "a union closed by the wrong bracket"),
      ("[3i", 3, "an array that is never closed"), ("[-1i]", 1, "an array with a negative count"),
      ("[18446744073709551616i]", 1, "a number too large to be true"), ("b", 1, "a number is missing"),
      ("b-1", 1, "a number is missing"), ("x", 0, "a byte that begins no type"),
      ("i5", 1, "text after the end of the encoding"), ("@\"NSString", 10, "a quoted name that is never closed"),
      ("@\"<>\"", 3, "a protocol list that is empty or never closed"), ("{=i}", 1, "a struct or union without a name"),
      ("@?<v>", 4, "a block signature without the block itself"), ("[3 i]", 3, "a byte that begins no type"),
      ("rrrrrrrrri", 8, "more than 8 qualifiers in a row"),
    ])
  func named(encoding: String, offset: Int, summary: String) {
    let error = #expect(throws: TypeEncodingError.self) { try TypeEncoding(encoding) }
    #expect(error?.offset == offset)
    #expect(error?.summary == summary)
  }

  @Test("512 levels are read, and no more", arguments: ["^", "A", "[2", "{S=", "@?<"])
  func nesting(_ opener: String) {
    let closer = ["[2": "]", "{S=": "}", "@?<": "@?>"][opener] ?? ""
    func nested(_ levels: Int) -> String {
      String(repeating: opener, count: levels) + "i" + String(repeating: closer, count: levels)
    }
    let encoding = try? TypeEncoding(nested(512))
    #expect(encoding?.encoded() == nested(512))
    #expect(encoding?.declaration(style: DeclarationStyle(expandedLevels: 1000)).isEmpty == false)
    let error = #expect(throws: TypeEncodingError.self) { try TypeEncoding(nested(513)) }
    #expect(error?.problem == .tooDeep(limit: 512))
    #expect(throws: Never.self) { try TypeEncoding(nested(513), limits: ParsingLimits(nesting: 600)) }
  }

  @Test("everything fits a thread of 512 KiB")
  func stack() async {
    let deep = String(repeating: "{S=^[2A", count: 128) + "i" + String(repeating: "]}", count: 128)
    let blocks = String(repeating: "@?<v@?", count: 512) + String(repeating: ">", count: 512)
    let hostile = MalformedInput.all.filter { $0.kind == "type" }.map(\.text) + [deep, blocks]
    let finished = await withCheckedContinuation { continuation in
      let thread = Thread {
        for text in hostile {
          let (encoding, _) = TypeEncoding.lenient(text)
          _ = encoding.declaration(style: DeclarationStyle(expandedLevels: 1000))
          _ = encoding.encoded(dialect: .gcc)
          _ = encoding.type.layout()
          _ = encoding.difference(from: encoding)
          _ = TypeReport(encoding.type)
        }
        continuation.resume(returning: true)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(finished)
  }

  /// Found by trying shapes at a megabyte: each once took time quadratic in its length or worse.
  @Test(
    "shapes that look for the end of a tag, of a name or of an encoding again and again",
    arguments: ["{a<=", "{a(<=", "{a<{=i}", "{a<=x=x=x=i}", " {a<=T,", "(a<(=", "{S={a<=i} ", " T<,", "e9999_", "i=@0"])
  func expensive(_ piece: String) {
    let text = String(repeating: piece, count: 3_000)
    #expect(TypeEncoding.lenient(text).error != nil)
    #expect(TypeEncoding.lenient("{S=" + text + "}").encoding.declaration().hasPrefix("struct"))
    #expect(EmbeddedEncodings.find(in: text).allSatisfy { $0.range.upperBound <= text.utf8.count })
    #expect(EncodedSymbol("__block_descriptor_" + text) == nil)
  }

  @Test("a limit on length is kept")
  func length() {
    let error = #expect(throws: TypeEncodingError.self) {
      try TypeEncoding("{S=iiii}", limits: ParsingLimits(nesting: 9, length: 4))
    }
    #expect(error?.problem == .tooLong(limit: 4))
  }
}
