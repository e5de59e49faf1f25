// Mutations of the corpus from a seed: nothing crashes or hangs, errors have places, and what is read is written back.
//
// TYPE_ENCODING_FUZZ=1000000 in the environment runs that many; FUZZ_SEED chooses others.
import FixtureSupport
import Foundation
import Testing
import TypeEncodings

@Suite("Fuzzing")
struct FuzzTests {
  private static let alphabet = Array("cCsSiIlLqQtTfdDBv*#:@^?[]{}()<>=\"!,'AjbrnNoORV+|-0123456789 x_\\".utf8)

  private func mutated(_ seed: [UInt8], _ other: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = seed
    for _ in 0...Int.random(in: 0...3, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0...5, using: &random) {
      case 0: bytes.insert(Self.alphabet.randomElement(using: &random) ?? 0, at: place)
      case 1: if place < bytes.count { bytes.remove(at: place) }
      case 2: if place < bytes.count { bytes[place] = Self.alphabet.randomElement(using: &random) ?? 0 }
      case 3: bytes.removeLast(bytes.count - place)
      case 4: bytes.insert(contentsOf: other.prefix(Int.random(in: 0...other.count, using: &random)), at: place)
      default: if place < bytes.count { bytes.append(contentsOf: bytes[place...].prefix(64)) }
      }
    }
    return Array(bytes.prefix(4096))
  }

  @Test("mutations of the corpus")
  func mutations() {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["TYPE_ENCODING_FUZZ"].flatMap { Int($0) } ?? 2_000
    var random = SeededGenerator(seed: environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1)
    let seeds = (CorpusRow.all.map(\.encoding) + MalformedInput.all.map(\.text).filter { $0.utf8.count < 256 }).map {
      Array($0.utf8)
    }
    var read = 0
    for _ in 0..<count {
      let seed = seeds.randomElement(using: &random) ?? []
      let other = seeds.randomElement(using: &random) ?? []
      let text = String(decoding: mutated(seed, other, &random), as: UTF8.self)
      let dialect = EncodingDialect.allCases.randomElement(using: &random) ?? .apple
      read += check(text, dialect) ? 1 : 0
    }
    // Mutations that are still encodings are what the round trip is about.
    #expect(read > count / 20)
    print("fuzzing: \(count) strings, \(read) of them encodings")
  }

  /// Decodes a text in every way; says whether it was a type.
  private func check(_ text: String, _ dialect: EncodingDialect) -> Bool {
    let length = text.utf8.count
    let (encoding, error) = TypeEncoding.lenient(text, dialect: dialect)
    let style = DeclarationStyle(expandedLevels: 9)
    let declaration = encoding.declaration(named: "x", style: style)
    if let error {
      if !(0...length).contains(error.offset) { Issue.record("offset \(error.offset) of \(text)") }
    } else {
      if encoding.encoded() != text { Issue.record("\(text) came back as \(encoding.encoded())") }
      if let difference = encoding.difference(from: encoding) { Issue.record("\(text): \(difference)") }
      // Another dialect's form must be an encoding too.
      for other in EncodingDialect.allCases where (try? TypeEncoding(encoding.encoded(dialect: other))) == nil {
        Issue.record("\(text) in \(other): \(encoding.encoded(dialect: other))")
      }
    }
    if declaration.isEmpty { Issue.record("no text for \(text)") }
    _ = encoding.type.layout(in: .ilp32)
    let (method, methodError) = MethodEncoding.lenient(types: text, selector: "-a:b:", dialect: dialect)
    _ = method.declaration(style: style).count + (method.frame()?.offsets.count ?? 0)
    let (property, propertyError) = PropertyEncoding.lenient(attributes: text, name: "p", dialect: dialect)
    _ = property.declaration(style: style)
    let (block, blockError) = BlockSignature.lenient(text, dialect: dialect)
    _ = block.declaration(style: style)
    for error in [methodError, propertyError, blockError] {
      if let error, !(0...length).contains(error.offset) { Issue.record("offset \(error.offset) of \(text)") }
    }
    _ = EmbeddedEncodings.find(in: text)
    _ = EncodedSymbol("__block_descriptor_32_e\(length)_" + text + "l")
    return error == nil
  }
}
