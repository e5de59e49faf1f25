// Stacks of this process.
import CallStacks
import FixtureSupport
import Foundation
import Glibc
import Testing

@Suite("capturing this thread")
struct CaptureTests {
  private static let namesOnly = SymbolicationOptions(includesLines: false)

  @inline(never)
  private static func descend<Value>(_ depth: Int, _ body: () throws -> Value) rethrows -> Value {
    if depth == 0 { return try body() }
    let value = try descend(depth - 1, body)
    blackHole(depth)
    return value
  }

  @inline(never)
  private static func blackHole(_ value: Int) { if value == .min { print("never") } }

  @Test("a recursion of 200 calls is 200 frames of the same name")
  func recursion() throws {
    let stack = try Self.descend(200) { try CallStack.capture(limit: 1000) }
    #expect(!stack.isTruncated)
    let frames = stack.symbolicated(options: Self.namesOnly).frames
    let named = frames.count { $0.function == "static CaptureTests.descend(_:_:)" }
    #expect(named == 201)
    #expect(frames.contains { $0.function?.contains("recursion()") ?? false })
  }

  @Test("the first frame is the caller; skip leaves out, limit cuts off and says so")
  func skipAndLimit() throws {
    let (whole, skipped, limited) = try Self.descend(20) {
      (
        try CallStack.capture(limit: 1000), try CallStack.capture(skip: 5, limit: 1000), try CallStack.capture(limit: 7)
      )
    }
    // The three calls return to different places of one function; from its caller on all is the same.
    #expect(skipped.addresses == Array(whole.addresses.dropFirst(5)))
    #expect(limited.addresses.count == 7 && limited.isTruncated && !whole.isTruncated)
    #expect(limited.addresses.dropFirst() == whole.addresses[1..<7])
    #expect(try CallStack.capture(skip: 1_000_000_000, limit: -3).addresses.isEmpty)
    let first = whole.symbolicated(options: Self.namesOnly).frames.first
    #expect(first?.function?.contains("closure #1 in CaptureTests.skipAndLimit()") ?? false, "\(first?.function ?? "")")
  }

  @Test("the C library's own backtrace returns to the same places")
  func agreesWithBacktrace() throws {
    // Looked up by name: libunwind has one too, which must not be in anyone's way.
    typealias Backtrace = @convention(c) (UnsafeMutablePointer<UInt>, Int32) -> Int32
    let backtrace = unsafeBitCast(try #require(dlsym(nil, "backtrace")), to: Backtrace.self)
    let (ours, theirs) = try Self.descend(30) {
      var buffer = [UInt](repeating: 0, count: 400)
      let count = Int(backtrace(&buffer, 400))
      return (try CallStack.capture(limit: 1000), Array(buffer[..<count]))
    }
    // Its first frames are its own and that of the call itself.
    let common = ours.addresses.dropFirst()
    #expect(common.count > 30)
    #expect(Array(theirs.suffix(common.count)) == Array(common))
  }

  @Test("values are compared, hashed and kept")
  func value() throws {
    let stack = try Self.descend(3) { try CallStack.capture() }
    let deeper = try Self.descend(4) { try CallStack.capture() }
    let coded = try JSONDecoder().decode(CallStack.self, from: JSONEncoder().encode(stack))
    #expect(coded == stack && coded != deeper)
    #expect(Set([stack, coded, deeper]).count == 2)
  }

  @Test("located stacks keep image, build and place, and have the same names later")
  func located() throws {
    let stack = try Self.descend(5) { try CallStack.capture() }
    let located = try stack.located()
    let sent = try JSONDecoder().decode(LocatedStack.self, from: JSONEncoder().encode(located))
    #expect(sent == located)
    let names = sent.symbolicated(options: Self.namesOnly).frames.map(\.function)
    #expect(names == stack.symbolicated(options: Self.namesOnly).frames.map(\.function))
    #expect(names.contains("static CaptureTests.descend(_:_:)"))
    // Another build of the file is never asked.
    let text = String(decoding: try JSONEncoder().encode(located), as: UTF8.self)
    let other = text.replacing(/"buildID":"[0-9a-f]+"/) { _ in "\"buildID\":\"00000000\"" }
    let nameless = try JSONDecoder().decode(LocatedStack.self, from: Data(other.utf8)).symbolicated()
    #expect(nameless.frames.allSatisfy { $0.function == nil } && !nameless.problems.isEmpty)
    #expect(nameless.frames.first?.placeInModule.contains("+0x") ?? false)
  }

  @Test("lines are those of the source")
  func lines() throws {
    let (stack, line) = (try CallStack.capture(), #line)
    let frame = try #require(stack.symbolicated(options: .init(lineBudget: .seconds(60))).frames.first)
    #expect(frame.line == line && frame.file?.hasSuffix("CaptureTests.swift") == true)
  }

  @Test("without time there are names and no lines, and their number is told")
  func noTime() throws {
    let located = try Self.descend(2) { try CallStack.capture() }.symbolicated(options: .init(lineBudget: .seconds(-1)))
    #expect(located.frames.contains { $0.function == "static CaptureTests.descend(_:_:)" })
    #expect(located.frames.allSatisfy { $0.line != nil || $0.file == nil })
  }

  @Test("an address outside of all symbols has no name")
  func nameless() {
    let stack = CallStack(addresses: [1, 0, .max, 4096])
    let symbolicated = stack.symbolicated()
    #expect(symbolicated.frames.map(\.function) == [nil, nil, nil, nil])
    #expect(symbolicated.frames.map(\.placeInModule) == ["0x1", "0x0", "0xffffffffffffffff", "0x1000"])
  }

  // MARK: Tasks

  @inline(never)
  private static func innermost() async throws -> CallStack {
    await Task.yield()
    return try CallStack.capture()
  }

  @inline(never)
  private static func middle() async throws -> CallStack {
    let stack = try await innermost()
    blackHole(1)
    return stack
  }

  @inline(never)
  private static func outermost() async throws -> CallStack {
    let stack = try await middle()
    blackHole(2)
    return stack
  }

  @Test("the functions that await are found, in order")
  func asynchronous() async throws {
    for _ in 0..<20 {
      let frames = try await Self.outermost().symbolicated(options: Self.namesOnly).frames
      let shown = frames.filter { $0.isAsync && !$0.isInlined }.compactMap(\.function).prefix(3)
      #expect(
        Array(shown)
          == ["innermost", "middle", "outermost"].map { "static CaptureTests.\($0)()" }, "\(frames.map(\.function))")
      #expect(frames.first { $0.function == "static CaptureTests.middle()" }?.isAwaiting == true)
      // What runs the task is told apart from who called it.
      #expect(frames.last?.kind == .executor)
    }
  }

  // MARK: Signals

  @Test("code on a signal stack: the interrupted function is found, at the place where it was interrupted")
  func signalStack() throws {
    // A thread of its own: its alternate stack and its signal are nobody else's.
    nonisolated(unsafe) var found: SymbolicatedStack?
    let thread = Thread { found = Interruption.run() }
    thread.start()
    let deadline = Date() + 30
    while !thread.isFinished, Date() < deadline { usleep(1000) }
    let functions = try #require(found).frames.compactMap(\.function)
    #expect(functions.contains { $0.contains("handler") || $0.contains("closure #1 in static Interruption.run()") })
    #expect(functions.contains("static Interruption.interrupted()"), "\(functions)")
  }
}

/// A handler on a stack of its own that captures.
private enum Interruption {
  nonisolated(unsafe) static var captured: CallStack?

  static func run() -> SymbolicatedStack? {
    let size = 1 << 18
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    defer { memory.deallocate() }
    var stack = stack_t()
    (stack.ss_sp, stack.ss_size) = (memory, size)
    guard sigaltstack(&stack, nil) == 0 else { return nil }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in Interruption.captured = try? CallStack.capture() }
    action.sa_flags = SA_ONSTACK
    var old = sigaction()
    guard sigaction(SIGUSR2, &action, &old) == 0 else { return nil }
    defer { sigaction(SIGUSR2, &old, nil) }
    // Threads that tests run on block signals.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGUSR2)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    _ = interrupted()
    return captured?.symbolicated(options: SymbolicationOptions(includesLines: false))
  }

  /// What is done after the call keeps it from becoming a jump.
  @inline(never)
  static func interrupted() -> Int32 { pthread_kill(pthread_self(), SIGUSR2) &+ 1 }
}
