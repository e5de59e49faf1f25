// Symbol tables of files that are compiled here, against nm and against what is known of them.
import FixtureSupport
import Foundation
import Symbolication
import Testing

/// A C program with functions of all kinds of visibility, and data.
private let program = """
  static int hidden(int value) { return value * 3; }
  int exported(int value) { return hidden(value) + 1; }
  int table[16] = {1, 2, 3};
  static const char *const names[] = {"a", "b"};
  __attribute__((weak)) int weak_one(void) { return names[0][0]; }
  int main(int count, char **arguments) { return exported(count) + table[count] + weak_one(); }
  """

/// Symbols that nest, that have no size, and a gap between.
private let assembly = """
  .text
  .globl outer
  .type outer,@function
  outer: .fill 16, 1, 0x90
  .type inner,@function
  inner: .fill 16, 1, 0x90
  .size inner, 16
  .fill 32, 1, 0x90
  .size outer, 64
  gap: .fill 64, 1, 0x90
  .globl after
  .type after,@function
  after: .fill 8, 1, 0x90
  .size after, 8
  .globl alias
  .type alias,@function
  .set alias, after
  .size alias, 8
  """

@Suite("symbol tables")
struct SymbolTableTests {
  let tree = TemporaryTree()

  @Test("every symbol that nm lists is found over all of its bytes, and not after them")
  func agreesWithNM() throws {
    let path = try CompiledProgram.clang(program, as: "program", in: tree, flags: ["-O0", "-g"])
    let table = try SymbolTable(ofFileAt: path)
    #expect(table.source == .symbolTable)
    let listed = try ChildProcess.run(["nm", "-S", "--defined-only", path]).output.split(separator: "\n")
    var compared = 0
    for line in listed {
      let columns = line.split(separator: " ")
      guard columns.count == 4, let start = UInt64(columns[0], radix: 16), let size = UInt64(columns[1], radix: 16)
      else { continue }
      compared += 1
      for address in [start, start + size / 2, start + size - 1] {
        let found = try #require(table.symbol(at: address), "\(line)")
        #expect(found.address == start && found.size == size && found.name == columns[3])
        #expect(found.kind == ("tTwW".contains(columns[2]) ? .function : .object), "\(line)")
      }
      if let next = table.symbol(at: start + size) { #expect(next.address == start + size, "\(line)") }
    }
    #expect(compared >= 6)
  }

  @Test("symbols nest, have no size, leave gaps, and share addresses")
  func shapes() throws {
    let path = try CompiledProgram.clang(
      assembly, suffix: "s", as: "shapes.so", in: tree, flags: ["-shared", "-nostdlib"])
    let table = try SymbolTable(ofFileAt: path)
    let named = Dictionary(
      uniqueKeysWithValues: (0..<table.count).map {
        (table.symbol(atIndex: $0).name, table.symbol(atIndex: $0).address)
      })
    let outer = try #require(named["outer"])
    #expect(table.symbol(at: outer)?.name == "outer")
    #expect(table.symbol(at: outer + 16)?.name == "inner")
    #expect(table.symbol(at: outer + 31)?.name == "inner")
    // Behind the inner one it is the outer one's again.
    #expect(table.symbol(at: outer + 32)?.name == "outer")
    #expect(table.symbol(at: outer + 63)?.name == "outer")
    // A label without a size is known at its own address and nowhere else.
    #expect(table.symbol(at: outer + 64)?.name == "gap")
    #expect(table.symbol(at: outer + 65) == nil)
    #expect(["after", "alias"].contains(table.symbol(at: outer + 128 + 7)?.name))
    #expect(table.symbol(at: outer + 128 + 8) == nil)
    #expect(table.symbol(at: .max) == nil && table.symbol(at: 0) == nil)
  }

  @Test("a stripped file has what it exports, and no neighbour's name for the rest")
  func stripped() throws {
    let path = try CompiledProgram.clang(program, as: "library.so", in: tree, flags: ["-O0", "-shared", "-fPIC"])
    let whole = try SymbolTable(ofFileAt: path)
    #expect(try ChildProcess.run(["strip", path]).exitCode == 0)
    let table = try SymbolTable(ofFileAt: path)
    #expect(table.source == .dynamicSymbols)
    let hidden = try #require((0..<whole.count).map(whole.symbol(atIndex:)).first { $0.name == "hidden" })
    #expect(table.symbol(at: hidden.address) == nil)
    #expect((0..<table.count).contains { table.symbol(atIndex: $0).name == "exported" })
  }

  @Test("a separate debug file is found by debuglink and by build-id, and another one is not taken")
  func separateDebugFiles() throws {
    let path = try CompiledProgram.clang(program, as: "program", in: tree, flags: ["-O0", "-g", "-Wl,--build-id"])
    let whole = try SymbolTable(ofFileAt: path)
    let buildID = try #require(whole.buildID)
    let shell = """
      cd \(tree.path) && objcopy --only-keep-debug program program.debug && strip program \
      && objcopy --add-gnu-debuglink=program.debug program
      """
    #expect(try ChildProcess.run(["bash", "-c", shell]).exitCode == 0)
    let linked = try SymbolTable(ofFileAt: path, debugFolders: [])
    #expect(linked.source == .debugFile && linked.symbolFile.hasSuffix("/program.debug"))
    #expect(linked.count == whole.count)

    // By build-id, with the link leading nowhere.
    let place = "store/.build-id/\(buildID.prefix(2))/\(buildID.dropFirst(2)).debug"
    tree.write(place, [])
    #expect(try ChildProcess.run(["mv", "\(tree.path)/program.debug", "\(tree.path)/\(place)"]).exitCode == 0)
    #expect(try SymbolTable(ofFileAt: path, debugFolders: []).source != .debugFile)
    #expect(try SymbolTable(ofFileAt: path, debugFolders: ["\(tree.path)/store"]).source == .debugFile)

    // A file of the right name that belongs to another build.
    _ = try CompiledProgram.clang(
      "int main(void) { return 7; }", as: "program.debug", in: tree, flags: ["-Wl,--build-id"])
    #expect(try SymbolTable(ofFileAt: path, debugFolders: []).source != .debugFile)
  }

  @Test("a debug file without build-id is taken when its checksum is right, and not otherwise")
  func checksum() throws {
    let path = try CompiledProgram.clang(program, as: "program", in: tree, flags: ["-g", "-Wl,--build-id=none"])
    let shell = """
      cd \(tree.path) && objcopy --only-keep-debug program program.debug && strip program \
      && objcopy --add-gnu-debuglink=program.debug program
      """
    #expect(try ChildProcess.run(["bash", "-c", shell]).exitCode == 0)
    #expect(try SymbolTable(ofFileAt: path, debugFolders: []).source == .debugFile)
    #expect(try ChildProcess.run(["bash", "-c", "printf x >> \(tree.path)/program.debug"]).exitCode == 0)
    #expect(try SymbolTable(ofFileAt: path, debugFolders: []).source != .debugFile)
  }

  @Test("what cannot be read is said to be so")
  func errors() throws {
    tree.write("text", "no ELF file, this")
    tree.write("empty", "")
    #expect(throws: SymbolError.self) { try SymbolTable(ofFileAt: tree.path + "/text") }
    #expect(throws: SymbolError.self) { try SymbolTable(ofFileAt: tree.path + "/empty") }
    #expect(throws: SymbolError.unreadable(path: tree.path + "/absent", code: ENOENT)) {
      try SymbolTable(ofFileAt: tree.path + "/absent")
    }
    #expect(throws: SymbolError.notELF(path: tree.path, detail: "not a regular file")) {
      try SymbolTable(ofFileAt: tree.path)
    }
    // A pipe would be waited for.
    mkfifo(tree.path + "/pipe", 0o600)
    #expect(throws: SymbolError.self) { try SymbolTable(ofFileAt: tree.path + "/pipe") }
    let path = try CompiledProgram.clang(program, as: "program", in: tree, flags: ["-Wl,--build-id"])
    #expect(throws: SymbolError.self) { try SymbolTable(ofFileAt: path, buildID: "00ff") }
  }

  @Test("damaged files give an error or a table, whatever is broken in them")
  func damaged() throws {
    let path = try CompiledProgram.clang(
      program, as: "program", in: tree, flags: ["-O1", "-g", "-nostdlib", "-shared", "-fPIC"])
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var generator = SeededGenerator(seed: 6)
    var readable = 0
    for _ in 0..<400 {
      tree.write("damaged", generator.damaged(whole))
      guard let table = try? SymbolTable(ofFileAt: tree.path + "/damaged", debugFolders: []) else { continue }
      readable += 1
      for _ in 0..<20 {
        let address = UInt64.random(in: 0...8192, using: &generator)
        guard let found = table.symbol(at: address) else { continue }
        #expect(found.address <= address && (address < found.address + max(found.size, 1)))
      }
    }
    #expect(readable > 50)
  }

  @Test("the first part of an asynchronous function is known by the record that points to it")
  func asyncFunctions() throws {
    let names = ["$s4main1fyyYaF", "$s4main1fyyYaFTY0_", "$s4main1fyyYaFTQ1_", "$s4main1gyyF"]
    let source =
      names.map { ".globl \"\($0)\"\n.type \"\($0)\",@function\n\"\($0)\": .fill 16\n.size \"\($0)\", 16\n" }.joined()
      + ".data\n.globl \"$s4main1fyyYaFTu\"\n.type \"$s4main1fyyYaFTu\",@object\n\"$s4main1fyyYaFTu\": .quad 0\n"
      + ".size \"$s4main1fyyYaFTu\", 8\n"
    let path = try CompiledProgram.clang(
      source, suffix: "s", as: "async.so", in: tree, flags: ["-shared", "-nostdlib"])
    let table = try SymbolTable(ofFileAt: path)
    #expect(names.map(table.isAsyncFunction) == [true, true, true, false])
  }
}
