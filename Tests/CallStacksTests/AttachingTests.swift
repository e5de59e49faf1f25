// What stopping another process does to it, and what stands in the way of stopping it.
import CallStacks
import FixtureSupport
import Foundation
import Glibc
import ProcessMemory
import Testing

@Suite("attaching")
struct AttachingTests {
  let tree = TemporaryTree()
  private static let namesOnly = SymbolicationOptions(includesLines: false)

  private func state(_ processID: Int32) -> Character? {
    let line = (try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)) ?? ""
    return line.split(separator: ")").last?.first { $0 != " " }
  }

  private func waiting(_ threads: Int) throws -> ChildProcess {
    let child = try ChildProcess([BuiltProduct.path("scenario"), "threads", "--threads", "\(threads)"])
    #expect(child.readLine() == "pid \(child.processID)")
    let deadline = Date() + 20
    while Date() < deadline,
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(child.processID)/task").count) != threads + 1
    {
      usleep(5000)
    }
    #expect(child.waitUntilQuiet())
    return child
  }

  @Test("every thread has its name, state, frames, and the time it was stopped")
  func threads() throws {
    let child = try waiting(10)
    let found = try ProcessStacks.of(child.processID, options: Self.namesOnly)
    #expect(found.threads.count == 11 && found.skipped.isEmpty && found.problems.isEmpty)
    #expect(Set(found.threads.map(\.name)).isSuperset(of: (0..<10).map { "waiter-\($0)" }))
    for thread in found.threads where thread.name.hasPrefix("waiter-") {
      #expect(thread.state == .sleeping(in: "read"))
      #expect(thread.stack.frames.count { $0.function == "static ThreadsScenario.descend(_:_:)" } == 21)
      #expect(thread.stack.end == .complete)
      #expect(thread.stopped > .zero && thread.stopped < .seconds(10))
    }
    let one = try ProcessStacks.of(child.processID, thread: found.threads[3].id, options: Self.namesOnly)
    #expect(one.threads.map(\.id) == [found.threads[3].id])
    // It runs on, and ends as it would have.
    child.send(SIGTERM)
    #expect(child.wait() == 0)
  }

  @Test("names are GDB's for the same frames")
  func agreesWithGDB() throws {
    let child = try StackProgram.debug.start("names")
    let ours = try stacks(of: child).threads.first?.stack.frames.filter { !$0.isInlined } ?? []
    let gdb = try ChildProcess.run([
      "gdb", "-batch", "-nx", "-p", "\(child.processID)", "-ex", "set print frame-arguments none", "-ex",
      "set demangle-style none", "-ex", "set print asm-demangle off", "-ex", "info symbol $pc", "-ex", "backtrace",
    ])
    let theirs = gdb.output.split(separator: "\n").compactMap { line -> UInt64? in
      guard line.hasPrefix("#"), let start = line.range(of: "0x"),
        let end = line[start.upperBound...].firstIndex(of: " ")
      else { return nil }
      return UInt64(line[start.upperBound..<end], radix: 16)
    }
    // Frame 0 shows no address where it is at the beginning of a line; all others do.
    #expect(theirs.count >= 6, "\(gdb.output)\(gdb.error)")
    #expect(Set(theirs).isSubset(of: Set(ours.map(\.address))))
    // And what GDB calls the symbol at each of our addresses is what we call it.
    let queries = ours.prefix(7).flatMap {
      ["-ex", "info symbol 0x\(String($0.address - ($0.address == ours[0].address ? 0 : 1), radix: 16))"]
    }
    let answer = try ChildProcess.run(
      ["gdb", "-batch", "-nx", "-p", "\(child.processID)", "-ex", "set print demangle off", "-ex", "set language c"]
        + queries)
    for frame in ours.prefix(7) {
      let symbol = try #require(frame.symbol)
      #expect(
        answer.output.contains(symbol.prefix { $0 != "@" } + " + ") || answer.output.contains(symbol),
        "\(symbol)\n\(answer.output)")
    }
  }

  @Test("killed in the middle, the tool leaves its target running")
  func killedTool() throws {
    let child = try ChildProcess([BuiltProduct.path("scenario"), "busy", "--threads", "4"])
    #expect(child.readLine() == "pid \(child.processID)")
    for round in 0..<15 {
      let tool = try ChildProcess([BuiltProduct.path("introspect"), "stack", "\(child.processID)"])
      usleep(UInt32(500 + round * 1500))
      tool.send(SIGKILL)
      tool.wait()
      usleep(2000)
      let letters = threadStates(child.processID)
      #expect(!letters.contains("t") && !letters.contains("T"), "\(letters)")
    }
    child.send(SIGTERM)
    #expect(child.finish().exitCode == 0)
  }

  /// The letters of the states of all threads.
  private func threadStates(_ processID: Int32) -> [Character] {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/task")) ?? []
    return threads.compactMap { thread in
      try? String(contentsOfFile: "/proc/\(processID)/task/\(thread)/stat", encoding: .utf8)
        .split(separator: ")").last?.first { $0 != " " }
    }
  }

  @Test("a stopped process is looked at and stays stopped")
  func stopped() throws {
    let child = try waiting(2)
    child.send(SIGSTOP)
    let deadline = Date() + 10
    // Each of its threads stops when it next runs, one after the other.
    while !threadStates(child.processID).allSatisfy({ $0 == "T" }), Date() < deadline { usleep(1000) }
    let found = try ProcessStacks.of(child.processID, options: Self.namesOnly)
    #expect(found.threads.count == 3 && found.threads.allSatisfy { $0.state == .stopped })
    #expect(
      found.threads.contains { $0.stack.frames.contains { $0.function == "static ThreadsScenario.descend(_:_:)" } })
    usleep(20_000)
    #expect(state(child.processID) == "T")
    child.send(SIGCONT)
    child.send(SIGTERM)
    #expect(child.wait() == 0)
  }

  @Test("no signal is lost to the dump")
  func signals() throws {
    let child = try ChildProcess([BuiltProduct.path("scenario"), "threads"])
    #expect(child.readLine() == "pid \(child.processID)")
    for _ in 0..<30 {
      child.send(SIGUSR1)
      _ = try ProcessStacks.of(child.processID, options: Self.namesOnly)
      // Each is answered with a line.
      #expect(child.readLine()?.hasPrefix("{\"scenario\":\"threads\"") == true)
    }
  }

  @Test("the exit code of a child that ends meanwhile is still its parent's to hear")
  func ownChild() throws {
    for round in 0..<20 {
      let child = try ChildProcess(["bash", "-c", "sleep 0.0\(round % 10); exit 37"])
      for _ in 0..<40 { _ = try? ProcessStacks.of(child.processID, options: Self.namesOnly) }
      #expect(child.wait() == 37)
    }
  }

  @Test("threads that come and go are skipped")
  func shortLivedThreads() throws {
    let source = """
      #include <pthread.h>
      #include <stdio.h>
      #include <unistd.h>
      static void *brief(void *nothing) { usleep(50); return nothing; }
      int main(void) {
        puts("ready");
        fflush(stdout);
        for (;;) {
          pthread_t threads[8];
          for (int i = 0; i < 8; i++) pthread_create(&threads[i], 0, brief, 0);
          for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
        }
      }
      """
    let child = try ChildProcess([try CompiledProgram.clang(source, as: "brief", in: tree, flags: ["-pthread"])])
    #expect(child.readLine() == "ready")
    for _ in 0..<60 {
      let found = try ProcessStacks.of(child.processID, options: Self.namesOnly)
      #expect(found.threads.contains { $0.id == child.processID })
    }
    #expect(state(child.processID) != "t")
  }

  // MARK: Refusals

  @Test("no such process, an ended one, a thread of the kernel, this one, no such thread")
  func absent() throws {
    #expect(throws: CallStackError.unreadable(.noSuchProcess(processID: 999_999_999))) {
      try ProcessStacks.of(999_999_999)
    }
    #expect(throws: CallStackError.ownProcess) { try ProcessStacks.of(getpid()) }
    #expect(throws: CallStackError.self) { try ProcessStacks.of(-1) }
    #expect(throws: CallStackError.self) { try ProcessStacks.of(2) }
    let child = try ChildProcess(["true"])
    while state(child.processID) != "Z" { usleep(1000) }
    #expect(throws: CallStackError.unreadable(.processEnded(processID: child.processID))) {
      try ProcessStacks.of(child.processID)
    }
    let other = try ChildProcess(["sleep", "30"])
    #expect(throws: CallStackError.self) { try ProcessStacks.of(other.processID, thread: 1) }
  }

  @Test("a process that is traced already: by whom")
  func alreadyTraced() throws {
    let target = try ChildProcess(["sleep", "60"])
    let source = """
      #include <stdio.h>
      #include <stdlib.h>
      #include <sys/ptrace.h>
      #include <unistd.h>
      int main(int count, char **arguments) {
        puts(ptrace(PTRACE_SEIZE, atoi(arguments[1]), 0, 0) == 0 ? "traced" : "refused");
        fflush(stdout);
        pause();
      }
      """
    let tracer = try ChildProcess([try CompiledProgram.clang(source, as: "tracer", in: tree), "\(target.processID)"])
    // The end of the target is its tracer's to hear of first.
    defer {
      tracer.send(SIGKILL)
      tracer.wait()
    }
    #expect(tracer.readLine() == "traced")
    #expect(
      throws: CallStackError.notPermitted(processID: target.processID, cause: .alreadyTraced(by: tracer.processID))
    ) {
      try ProcessStacks.of(target.processID)
    }
    let tool = try Tool.shell("introspect stack \(target.processID)")
    #expect(tool.exitCode == 77 && tool.error.contains("process \(tracer.processID) traces it already"))
  }

  @Test("a seccomp filter that forbids ptrace", .enabled(if: geteuid() == 0))
  func seccomp() throws {
    let source = """
      #include <errno.h>
      #include <linux/filter.h>
      #include <linux/seccomp.h>
      #include <stddef.h>
      #include <sys/prctl.h>
      #include <sys/syscall.h>
      #include <unistd.h>
      int main(int count, char **arguments) {
        struct sock_filter rules[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        };
        struct sock_fprog program = {4, rules};
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 99;
        execv(arguments[1], arguments + 1);
        return 98;
      }
      """
    let target = try ChildProcess(["sleep", "60"])
    let filter = try CompiledProgram.clang(source, as: "filtered", in: tree)
    let result = try ChildProcess.run([filter, BuiltProduct.path("introspect"), "stack", "\(target.processID)"])
    #expect(result.exitCode == 77 && result.error.contains("seccomp"), "\(result)")
  }

  @Test("another user's process, and one that is not dumpable", .enabled(if: geteuid() == 0))
  func otherUser() throws {
    let target = try ChildProcess(["sleep", "60"])
    // Where nobody may execute it, with what it needs to start.
    try tree.copyProgram(BuiltProduct.path("introspect"), as: "introspect")
    chmod(tree.path, 0o755)
    let nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    let result = try ChildProcess.run(nobody + [tree.path + "/introspect", "stack", "\(target.processID)"])
    #expect(result.exitCode == 77 && result.error.contains("it belongs to user id 0"), "\(result)")

    let source = """
      #include <stdio.h>
      #include <sys/prctl.h>
      #include <unistd.h>
      int main(void) {
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        puts("ready");
        fflush(stdout);
        pause();
      }
      """
    let protected = try CompiledProgram.clang(source, as: "protected", in: tree)
    let child = try ChildProcess(nobody + [protected])
    #expect(child.readLine() == "ready")
    let second = try ChildProcess.run(nobody + [tree.path + "/introspect", "stack", "\(child.processID)"])
    #expect(second.exitCode == 77 && second.error.contains("undumpable"), "\(second)")
  }

  @Test("each cause has its own words, the surest first")
  func causes() {
    var facts = TraceFacts()
    (facts.user, facts.owner, facts.filesOwner) = (1000, 1000, 1000)
    #expect(facts.refusal == .securityModule)
    facts.isFiltered = true
    #expect(facts.refusal == .seccomp)
    facts.yamaScope = 1
    #expect(facts.refusal == .yama(scope: 1))
    facts.yamaScope = 2
    #expect(facts.refusal == .yama(scope: 2))
    facts.filesOwner = 0
    #expect(facts.refusal == .notDumpable)
    facts.owner = 7
    #expect(facts.refusal == .otherUser(owner: 7))
    facts.hasCapability = true
    #expect(facts.refusal == .seccomp)
    facts.yamaScope = 3
    #expect(facts.refusal == .yama(scope: 3))
    facts.tracer = 12
    #expect(facts.refusal == .alreadyTraced(by: 12))
    let sentences = [
      TraceRefusal.alreadyTraced(by: 1), .otherUser(owner: 0), .notDumpable, .yama(scope: 1), .yama(scope: 2),
      .yama(scope: 3), .seccomp, .securityModule,
    ].map(\.description)
    #expect(Set(sentences).count == sentences.count && sentences.allSatisfy { !$0.isEmpty })
  }
}
