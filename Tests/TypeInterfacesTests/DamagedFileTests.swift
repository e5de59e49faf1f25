// Files that are cut short or changed: an error or less of a declaration, and never a crash.

import FixtureSupport
import Foundation
import Symbolication
import Testing
import TypeInterfaces

@Suite("damaged files")
struct DamagedFileTests {
  private let tree = TemporaryTree()

  /// How much came of a damaged file; `nil` for an error.
  private func read(_ bytes: [UInt8]) -> Int? {
    tree.write("damaged", bytes)
    guard let all = try? TypeInterface.all(in: tree.path + "/damaged") else { return nil }
    return all.reduce(0) { $0 + $1.text().utf8.count }
  }

  private func program() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: ShopProgram.release())))
  }

  @Test("cut short anywhere")
  func truncated() throws {
    let whole = try program()
    let full = try #require(read(whole))
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<40 {
      let length = Int.random(in: 0..<whole.count, using: &generator)
      if let size = read(Array(whole[..<length])) { #expect(size <= full) }
    }
    #expect(read([]) == nil)
    // Half a file is no file with half as much in it.
    for length in [100, whole.count / 2, whole.count - 1] {
      tree.write("half", Array(whole[..<length]))
      let error = #expect(throws: TypeInterfaceError.self) { try TypeInterface.all(in: tree.path + "/half") }
      #expect(error?.description.contains("is cut short: it has \(length) bytes") == true)
    }
  }

  @Test("changed in the headers")
  func headers() throws {
    let whole = try program()
    var generator = SeededGenerator(seed: 11)
    let sectionHeaders = Int(whole[40..<48].withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
    var readable = 0
    for round in 0..<120 {
      var bytes = whole
      // The file header, the program headers, the section headers at the end.
      let range = [0..<64, 64..<700, sectionHeaders..<whole.count][round % 3]
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: range, using: &generator)
        bytes[place] =
          [0, 0xFF, 0x7F, 0x80, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      if read(bytes) != nil { readable += 1 }
    }
    #expect(readable > 10)
  }

  @Test("changed in what is read")
  func contents() throws {
    let whole = try program()
    let image = try ElfImage(ofFileAt: ShopProgram.release())
    var generator = SeededGenerator(seed: 12)
    let names = image.sections.keys.filter {
      $0.hasPrefix("swift5") || $0.hasPrefix(".rela") || $0 == ".dynsym" || $0 == ".rodata"
    }
    .sorted()
    var readable = 0
    for _ in 0..<150 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...30, using: &generator) {
        // Where the file is laid out as it is loaded, as for all that is only read, addresses are offsets.
        let section = image.sections[names.randomElement(using: &generator) ?? ""] ?? 0..<0
        guard section.upperBound < UInt64(whole.count), !section.isEmpty else { continue }
        bytes[Int(UInt64.random(in: section, using: &generator))] = UInt8.random(in: 0...255, using: &generator)
      }
      if read(bytes) != nil { readable += 1 }
    }
    #expect(readable > 100)
  }
}
