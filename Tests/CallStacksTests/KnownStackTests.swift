// Stacks that are known, of programs built in all ways.
import CallStacks
import FixtureSupport
import Foundation
import Testing

@Suite("known stacks of other processes")
struct KnownStackTests {
  @Test("a recursion of 200 calls", arguments: StackProgram.allCases)
  func recursion(program: StackProgram) throws {
    let child = try program.start("recursion")
    let frames = try stacks(of: child).arrived
    let physical = frames.filter { !$0.isInlined }
    // The innermost one may have been entered by a jump, where an optimizer saw fit.
    let descents = physical.count { $0.function == "descend(_:)" }
    #expect(program.isOptimized ? (199...201).contains(descents) : descents == 201)
    #expect(physical.contains { $0.function == "static Program.main()" })
    #expect(physical.filter { $0.function == "descend(_:)" }.allSatisfy { $0.line == 19 && !$0.isGuessed })
  }

  @Test("generics, closures, operators, letters that are not ASCII", arguments: StackProgram.allCases)
  func names(program: StackProgram) throws {
    let child = try program.start("names")
    let functions = try stacks(of: child).arrived.compactMap(\.function)
    for name in ["Box.map(_:)", "Größe.berechne(mit:)", "static Größe.<+>(_:_:)", "static Program.main()"] {
      #expect(functions.contains(name), "\(name) in \(functions)")
    }
  }

  @Test("inlined functions stand above the one that has the frame", arguments: StackProgram.allCases)
  func inlining(program: StackProgram) throws {
    let child = try program.start("inlining")
    let frames = try stacks(of: child).arrived
    let inlined = try #require(frames.firstIndex { $0.function == "inlined(_:)" })
    #expect(frames[inlined + 1].function == "container(_:)")
    #expect(frames[inlined].isInlined == program.isOptimized)
    #expect(!frames[inlined + 1].isInlined)
    #expect(frames[inlined].line == 48 && frames[inlined + 1].line == 51)
  }

  @Test("a handler on a signal stack of its own", arguments: StackProgram.allCases)
  func signalStack(program: StackProgram) throws {
    let child = try program.start("signal")
    let functions = try stacks(of: child).arrived.compactMap(\.function)
    #expect(functions.contains("interrupted()"), "\(functions)")
    #expect(functions.contains("static Program.main()"), "\(functions)")
  }

  @Test("functions that await, in order", arguments: StackProgram.allCases)
  func asynchronous(program: StackProgram) throws {
    let child = try program.start("await")
    let frames = try stacks(of: child).arrived.filter { !$0.isInlined }
    let chain = ["arrive()", "innermost(_:)", "middle(_:)", "outermost(_:)", "static Program.main()"]
    #expect(frames.prefix(5).map(\.function) == chain, "\(frames.map(\.function))")
    #expect(frames.prefix(5).map(\.isAwaiting) == [false, false, true, true, true])
    #expect(frames.prefix(5).map(\.isAsync) == [false, true, true, true, true])
    #expect(frames.last?.kind == .executor)
  }

  @Test("functions that await are found below a deep recursion too", arguments: [StackProgram.debug, .debugStatic])
  func asynchronousBelowRecursion(program: StackProgram) throws {
    let child = try program.start("recursion")
    let frames = try stacks(of: child).arrived
    #expect(frames.contains { $0.function == "static Program.main()" && $0.isAsync && !$0.isAwaiting })
    #expect(frames.contains { $0.function == "static Program.$main()" && $0.isAwaiting })
  }

  @Test("a stripped program: module and place, and no neighbour's name")
  func stripped() throws {
    let tree = TemporaryTree()
    try tree.copyProgram(try StackProgram.release.path(), as: "stripped")
    #expect(try ChildProcess.run(["strip", tree.path + "/stripped"]).exitCode == 0)
    let child = try ChildProcess([tree.path + "/stripped", "recursion"])
    #expect(child.readLine() == "ready")
    // By the tool, since this process may know the names from a whole program of the same build.
    struct Dump: Decodable {
      struct Thread: Decodable { var frames: [StackFrame] }
      var threads: [Thread]
    }
    let output = try Tool.shell("introspect stack --json \(child.processID)").output
    let frames = try JSONDecoder().decode(Dump.self, from: Data(output.utf8)).threads.first?.frames ?? []
    let own = frames.filter { $0.module == "stripped" }
    #expect(own.count > 199)
    #expect(own.allSatisfy { $0.function == nil && $0.placeInModule.hasPrefix("stripped+0x") && !$0.isGuessed })
    #expect(frames.contains { $0.module?.hasPrefix("libc.so") ?? false })
  }

  @Test("a program whose file is gone")
  func deleted() throws {
    let tree = TemporaryTree()
    try tree.copyProgram(try StackProgram.release.path(), as: "gone")
    let child = try ChildProcess([tree.path + "/gone", "recursion"])
    #expect(child.readLine() == "ready")
    tree.remove("gone")
    // Another file of that name is not taken for it.
    try tree.copyProgram("/bin/true", as: "gone")
    let found = try stacks(of: child).arrived
    #expect(found.count { $0.function == "descend(_:)" && !$0.isInlined } >= 199)
    #expect(found.first?.line != nil)
  }

  private static let mayMount = (try? ChildProcess.run(["unshare", "-m", "true"]))?.exitCode == 0

  @Test("a program in a root of its own, as containers have", .enabled(if: mayMount, "needs to mount"))
  func otherRoot() throws {
    let tree = TemporaryTree()
    let program = try StackProgram.debugStatic.path()
    let libraries = try ChildProcess.run(["ldd", program]).output.split(whereSeparator: { " \n\t".contains($0) })
    for file in libraries.map(String.init) where file.hasPrefix("/") { try tree.copyProgram(file, as: "root" + file) }
    try tree.copyProgram(program, as: "root/program")
    tree.write("root/proc/here", "")
    tree.write("root/old/here", "")
    let shell = """
      mount --bind '\(tree.path)/root' '\(tree.path)/root' && cd '\(tree.path)/root' && mount -t proc proc proc \\
      && pivot_root . old && exec /program names
      """
    let child = try ChildProcess(["unshare", "-m", "bash", "-c", shell])
    try #require(child.readLine() == "ready")
    let functions = try stacks(of: child).arrived.compactMap(\.function)
    #expect(functions.contains("Größe.berechne(mit:)") && functions.contains("Box.map(_:)"), "\(functions)")
  }

  @Test("the callers of a clock that is read in the vDSO are there every time")
  func clock() throws {
    let child = try ChildProcess([BuiltProduct.path("scenario"), "clock"])
    #expect(child.readLine() == "pid \(child.processID)")
    usleep(50_000)
    var inVDSO = 0
    for _ in 0..<50 {
      let found = try ProcessStacks.of(child.processID, options: SymbolicationOptions(includesLines: false))
      let frames = try #require(found.threads.first { $0.name == "clock" }).stack.frames
      if frames.first?.module == "[vdso]" { inVDSO += 1 }
      #expect(frames.count { $0.function == "static ClockScenario.descend(_:)" } >= 20, "\(frames.map(\.function))")
      #expect(frames.contains { $0.function == "static ClockScenario.readClock()" })
    }
    #expect(inVDSO > 0)
  }
}
