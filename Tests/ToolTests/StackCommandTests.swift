// introspect stack, by running it.
import FixtureSupport
import Foundation
import Testing

@Suite("introspect stack")
struct StackCommandTests {
  private func target(_ scenario: String) throws -> ChildProcess {
    let child = try ChildProcess([BuiltProduct.path("scenario"), scenario])
    #expect(child.readLine() == "pid \(child.processID)")
    #expect(child.waitUntilQuiet())
    return child
  }

  @Test("all threads, one thread, every frame")
  func text() throws {
    let child = try target("threads")
    let all = try Tool.shell("introspect stack \(child.processID)")
    #expect(all.exitCode == 0 && all.error.isEmpty)
    #expect(all.output.hasPrefix("thread \(child.processID) \"scenario\"  sleeping in rt_sigtimedwait"))
    #expect(all.output.contains("\"waiter-1\"  sleeping in read") && all.output.contains("   stopped "))
    #expect(all.output.contains("  static ThreadsScenario.descend(_:_:) "))
    let thread = try #require(all.output.firstMatch(of: /thread ([0-9]+) "waiter-0"/)).1
    let one = try Tool.shell("introspect stack --no-lines --thread \(thread) \(child.processID)")
    #expect(one.output.contains("\"waiter-0\"") && !one.output.contains("waiter-1") && !one.output.contains(".swift:"))
    let full = try Tool.shell("introspect stack --full \(child.processID)")
    #expect(full.output.contains("(Swift.Int, scenario.Gate) -> Swift.Int"))
    #expect(full.output.contains("scenario+0x") && !full.output.contains("frames of the runtime"))
  }

  @Test("JSON has what it promises")
  func json() throws {
    let child = try target("await")
    let result = try Tool.shell("introspect stack --json --lines-within 60s \(child.processID)")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(object["pid"] as? Int == Int(child.processID))
    let threads = try #require(object["threads"] as? [[String: Any]])
    for thread in threads {
      #expect(thread["id"] is Int && thread["name"] is String && thread["state"] is String)
      #expect(thread["stopped_ns"] as? Int ?? 0 > 0)
    }
    let frames = threads.flatMap { $0["frames"] as? [[String: Any]] ?? [] }
    #expect(frames.allSatisfy { $0["offset"] is Int && $0["inlined"] is Bool && $0["async"] is Bool })
    let parse = try #require(frames.first { $0["function"] as? String == "static AwaitScenario.parse(_:_:)" })
    #expect(parse["module"] as? String == "scenario" && parse["async"] as? Bool == true)
    let serve = try #require(frames.first { $0["function"] as? String == "static AwaitScenario.serve(_:)" })
    #expect(serve["awaiting"] as? Bool == true && serve["line"] is Int)
    #expect((serve["file"] as? String)?.hasSuffix("AwaitScenario.swift") == true)
  }

  @Test(
    "wrong use has its own code and a line that helps",
    arguments: [
      ("", 64, "takes one process id"), ("x", 64, "takes one process id"), ("1 2", 64, "takes one process id"),
      ("--thread x 1", 64, "--thread takes a thread id"), ("--lines-within soon 1", 64, "span of time"),
      ("--fill 1", 64, "did you mean --full?"), ("999999999", 66, "no process has the pid"), ("2", 66, "kernel"),
    ])
  func misuse(arguments: String, code: Int, message: String) throws {
    let result = try Tool.shell("introspect stack \(arguments)")
    #expect(result.exitCode == Int32(code) && result.error.contains(message), "\(result)")
    #expect(result.output.isEmpty)
  }

  @Test("without libunwind or elfutils: said, with the package to install")
  func missingLibraries() throws {
    let child = try target("threads")
    // A folder that comes before the system's, with files of the right names that are no libraries.
    let tree = TemporaryTree()
    tree.write("libunwind-x86_64.so.8", "no library")
    let unwind = try Tool.shell("LD_LIBRARY_PATH='\(tree.path)' introspect stack \(child.processID)")
    #expect(unwind.exitCode == 1 && unwind.error.contains("apt-get install libunwind8"), "\(unwind)")
    tree.remove("libunwind-x86_64.so.8")
    tree.write("libdw.so.1", "no library")
    let symbols = try Tool.shell("LD_LIBRARY_PATH='\(tree.path)' introspect stack \(child.processID)")
    #expect(symbols.exitCode == 0 && symbols.output.contains("apt-get install libdw1"), "\(symbols)")
    #expect(symbols.output.contains("scenario+0x"))
    // What needs no symbols of files does not notice.
    let decode = try Tool.shell("LD_LIBRARY_PATH='\(tree.path)' introspect decode '$s4main7CounterC3incSiyF'")
    #expect(decode.exitCode == 0 && decode.output.hasPrefix("func inc() -> Int"))
  }
}
