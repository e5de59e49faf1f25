// Lines and inlined functions, against addr2line.
import FixtureSupport
import Foundation
import Symbolication
import Testing

private let program = """
  volatile int sink;
  static inline __attribute__((always_inline)) int deepest(int value) {
    sink = value;
    return sink + 1;
  }
  static inline __attribute__((always_inline)) int middle(int value) {
    sink = value * 2;
    return deepest(value) + 2;
  }
  __attribute__((noinline)) int container(int value) {
    int result = middle(value);
    sink = result;
    return result;
  }
  int main(void) { return container(3); }
  """

@Suite("source lines")
struct SourceLinesTests {
  let tree = TemporaryTree()
  private let farAway = ContinuousClock.now + .seconds(60)

  @Test("functions, inlined functions and lines are addr2line's", arguments: ["-gdwarf-5", "-gdwarf-4"])
  func agreesWithAddr2line(format: String) throws {
    let path = try CompiledProgram.clang(program, as: "program", in: tree, flags: ["-O1", format])
    let table = try SymbolTable(ofFileAt: path)
    let lines = SourceLines(ofFileAt: path)
    var inlined = 0
    for name in ["container", "main"] {
      let symbol = try #require((0..<table.count).map(table.symbol(atIndex:)).first { $0.name == name })
      for address in symbol.address..<symbol.address + symbol.size {
        guard case .found(let frames) = lines.frames(at: address, deadline: farAway) else {
          Issue.record("nothing at \(String(address, radix: 16))")
          continue
        }
        let theirs = try addr2line(path, address)
        #expect(frames.map(\.symbol) == theirs.map(\.function))
        #expect(frames.map { $0.line ?? 0 } == theirs.map(\.line), "\(String(address, radix: 16))")
        #expect(frames.last?.isInlined == false && frames.dropLast().allSatisfy { $0.isInlined })
        inlined = max(inlined, frames.count)
      }
    }
    #expect(inlined == 3)
  }

  @Test("a deadline in the past is out of time, and the next question is answered")
  func deadline() throws {
    let path = try CompiledProgram.clang(program, as: "program", in: tree, flags: ["-O0", "-g"])
    let table = try SymbolTable(ofFileAt: path)
    let main = try #require((0..<table.count).map(table.symbol(atIndex:)).first { $0.name == "main" })
    let lines = SourceLines(ofFileAt: path)
    #expect(lines.frames(at: main.address, deadline: .now - .seconds(1)) == .outOfTime)
    guard case .found(let frames) = lines.frames(at: main.address, deadline: farAway) else {
      Issue.record("no line for main")
      return
    }
    #expect(frames.map(\.line) == [15] && frames[0].file?.hasSuffix("program.c") == true)
    #expect(lines.frames(at: 1, deadline: farAway) == .unknown)
  }

  @Test("without debug information there is none, and no error")
  func absent() throws {
    let path = try CompiledProgram.clang(program, as: "program", in: tree, flags: ["-O0"])
    #expect(SourceLines(ofFileAt: path).frames(at: 0x1130, deadline: farAway) == .unknown)
    #expect(SourceLines(ofFileAt: tree.path + "/absent").frames(at: 0, deadline: farAway) == .unknown)
    #expect(SourceLines(ofFileAt: path, buildID: "00").frames(at: 0, deadline: farAway) == .unknown)
  }

  @Test("damaged debug information gives an answer of some kind")
  func damaged() throws {
    let path = try CompiledProgram.clang(
      program, as: "program", in: tree, flags: ["-O1", "-g", "-nostdlib", "-shared", "-fPIC"])
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var generator = SeededGenerator(seed: 66)
    var found = 0
    for _ in 0..<300 {
      tree.write("damaged", generator.damaged(whole))
      let lines = SourceLines(ofFileAt: tree.path + "/damaged")
      for address in stride(from: UInt64(0x200), to: 0x1400, by: 61) {
        if case .found = lines.frames(at: address, deadline: farAway) { found += 1 }
      }
    }
    #expect(found > 0)
  }

  private func addr2line(_ path: String, _ address: UInt64) throws -> [(function: String?, line: Int)] {
    let result = try ChildProcess.run(["addr2line", "-f", "-i", "-e", path, String(address, radix: 16)])
    let lines = result.output.split(separator: "\n")
    return stride(from: 0, to: lines.count - 1, by: 2).map { index in
      (String(lines[index]), Int(lines[index + 1].split(separator: ":").last?.prefix { $0.isNumber } ?? "") ?? 0)
    }
  }
}
