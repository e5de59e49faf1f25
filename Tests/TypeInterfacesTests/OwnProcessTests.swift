// Types of the running program: what the runtime says of them is the measure.

import FixtureSupport
import Foundation
import ProcessMemory
import SwiftMetadata
import Symbolication
import Testing
import TypeInterfaces

struct Sample {
  var flag = true
  var count: Int32 = 0
  let text = ""
  var numbers: [Int: [Int]] = [:]
  var pair: (Leaf, Leaf?) = (Leaf(), nil)
  var twice: [Leaf: Set<Leaf>] = [:]
  var next: ((Leaf) -> Leaf)?
}

struct Leaf: Hashable { var value = 0.5 }

/// Fields of the types whose sizes are known without asking the program.
struct Sized {
  var a = false
  var b: Int16 = 0
  var c: UInt32? = nil
  var d: Double? = nil
  var e: String? = nil
  var f: [String]? = nil
  var g: [Int: String] = [:]
  var h: Set<Int> = []
  var i: Any = 0
  var j: Character = "a"
  var k: Substring = ""
  var l: Bool? = nil
  var m: UnsafeRawPointer? = nil
  var n: UInt128? = nil
  var o: Duration = .zero
  var p: Unicode.Scalar = "a"
  var q: AnyObject? = nil
  unowned var r: Coder
  weak var s: Coder?
}

final class Node<Value> {
  var value: Value
  weak var next: Node<Value>?
  init(_ value: Value) { self.value = value }
  func replaced<Other>(by other: Other) -> Node<Other> { Node<Other>(other) }
}

/// A class whose superclass is another module's: its offsets are worked out at run time.
final class Coder: JSONEncoder, @unchecked Sendable {
  var depth: Int64 = 7
  var path = "path"
}

@Suite("types of this program")
struct OwnProcessTests {
  @Test("offsets and sizes are the compiler's own")
  func layout() throws {
    let interface = try TypeInterface(of: Sample.self)
    #expect(interface.module == "TypeInterfacesTests" && interface.kind == .struct)
    #expect(interface.layout?.size == UInt64(MemoryLayout<Sample>.size))
    #expect(interface.layout?.stride == UInt64(MemoryLayout<Sample>.stride))
    #expect(interface.layout?.alignment == UInt64(MemoryLayout<Sample>.alignment))
    let offsets: [Int?] = [
      MemoryLayout<Sample>.offset(of: \.flag), MemoryLayout<Sample>.offset(of: \.count),
      MemoryLayout<Sample>.offset(of: \.text), MemoryLayout<Sample>.offset(of: \.numbers),
      MemoryLayout<Sample>.offset(of: \.pair), MemoryLayout<Sample>.offset(of: \.twice),
    ]
    #expect(interface.storedProperties.dropLast().map(\.offset) == offsets.map { $0.map(UInt64.init) })
    #expect(interface.storedProperties.prefix(4).map(\.size) == [1, 4, 16, 8])
    #expect(interface.storedProperties.map(\.isVariable) == [true, true, false, true, true, true, true])
  }

  @Test("sizes of fields are the compiler's own")
  func fieldSizes() throws {
    let interface = try TypeInterface(of: Sized.self)
    let sizes = [
      MemoryLayout<Bool>.size, MemoryLayout<Int16>.size, MemoryLayout<UInt32?>.size, MemoryLayout<Double?>.size,
      MemoryLayout<String?>.size, MemoryLayout<[String]?>.size, MemoryLayout<[Int: String]>.size,
      MemoryLayout<Set<Int>>.size, MemoryLayout<Any>.size, MemoryLayout<Character>.size, MemoryLayout<Substring>.size,
      MemoryLayout<Bool?>.size, MemoryLayout<UnsafeRawPointer?>.size, MemoryLayout<UInt128?>.size,
      MemoryLayout<Duration>.size, MemoryLayout<Unicode.Scalar>.size, MemoryLayout<AnyObject?>.size, 8, 8,
    ]
    #expect(interface.storedProperties.map(\.size) == sizes.map { UInt64($0) })
    #expect(interface.storedProperties.suffix(2).map(\.reference) == [.unowned, .weak])
  }

  @Test("types that are mentioned more than once in another are not mixed up")
  func repeatedReferences() throws {
    let interface = try TypeInterface(of: Sample.self)
    #expect(
      interface.storedProperties.dropFirst(3).map(\.type) == [
        "[Int: [Int]]", "(Leaf, Leaf?)", "[Leaf: Set<Leaf>]", "((Leaf) -> Leaf)?",
      ])
  }

  @Test("of a generic type's instance the sizes are known too, and generic members keep their names apart")
  func generic() throws {
    let interface = try TypeInterface(of: Node<String>("a"))
    #expect(interface.name == "Node" && interface.genericParameters == ["A"])
    #expect(interface.storedProperties.map(\.declaration) == ["var value: A", "weak var next: Node<A>?"])
    #expect(interface.storedProperties.map(\.offset) == [16, 32])
    #expect(interface.members.contains { $0.declaration == "func replaced<A1>(by: A1) -> Node<A1>" })
  }

  @Test("a class below one of another module has its offsets from the program")
  func resilientSuperclass() throws {
    let coder = Coder()
    let interface = try TypeInterface(of: coder)
    #expect(interface.superclass == "JSONEncoder")
    let offset = try #require(interface.storedProperties.first { $0.name == "depth" }?.offset)
    let address = Unmanaged.passUnretained(coder).toOpaque()
    #expect(address.load(fromByteOffset: Int(offset), as: Int64.self) == 7)
    withExtendedLifetime(coder) {}
  }

  @Test("types of libraries, and types that are declared nowhere")
  func others() throws {
    #expect(try TypeInterface(of: URL.self).members.contains { $0.name == "absoluteString" })
    let optional = try TypeInterface(of: Int?.self)
    #expect(optional.kind == .enum && optional.cases.map(\.declaration) == ["case some(A)", "case none"])
    #expect(throws: TypeInterfaceError.self) { try TypeInterface(of: (Int, Int).self) }
    #expect(throws: TypeInterfaceError.self) { try TypeInterface(of: { (_: Int) in }) }
  }

  @Test("a file's memory is what the loader makes of it")
  func relocations() throws {
    let images = try ImageMap.current()
    let image = try #require(images.images.first { $0.name.hasPrefix("libFoundation.so") })
    let file = try ElfImage(ofFileAt: image.path)
    let live = try ProcessMemoryReader.current()
    // What is read-only after relocation has not been written to since.
    let section = try #require(file.sections[".data.rel.ro"])
    var moved = 0
    var imported = 0
    for address in stride(from: (section.lowerBound + 7) & ~7, to: section.upperBound - 8, by: 8) {
      let word = try #require(file.memory.load(address, as: UInt64.self))
      let loaded = try #require(live.load(address &+ image.loadBias, as: UInt64.self))
      if file.memory.importedSymbol(at: word) != nil {
        imported += 1
      } else if loaded != word {
        moved += 1
        #expect(loaded == word &+ image.loadBias, "at \(address)")
      }
    }
    #expect(moved > 1000 && imported > 0)
  }
}
