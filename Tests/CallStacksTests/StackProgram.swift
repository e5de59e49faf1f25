// The program whose stacks are known, compiled once in each way.
import CallStacks
import FixtureSupport
import Foundation
import Testing

enum StackProgram: String, CaseIterable {
  case debug, release, releaseWithFramePointers, debugStatic, releaseStatic

  private var flags: [String] {
    switch self {
    case .debug: ["-Onone"]
    case .release: ["-O", "-Xcc", "-fomit-frame-pointer"]
    case .releaseWithFramePointers: ["-O", "-Xllvm", "-frame-pointer=all", "-Xcc", "-fno-omit-frame-pointer"]
    case .debugStatic: ["-Onone", "-static-stdlib"]
    case .releaseStatic: ["-O", "-static-stdlib"]
    }
  }

  var isOptimized: Bool { self != .debug && self != .debugStatic }

  private static let compiled: [StackProgram: Result<String, any Error>] = Dictionary(
    uniqueKeysWithValues: allCases.map { kind in
      (kind, Result { try CompiledProgram.swift("stacks", as: "stacks-\(kind.rawValue)", flags: kind.flags) })
    })

  /// Compiled when the first test asks; all ways at once.
  func path() throws -> String {
    try #require(Self.compiled[self]).get()
  }

  /// The program, arrived at its innermost call.
  func start(_ mode: String) throws -> ChildProcess {
    let child = try ChildProcess([try path(), mode])
    try #require(child.readLine() == "ready")
    // It says so a moment before it waits there.
    let deadline = Date() + 20
    while !Self.waits(child.processID), Date() < deadline { usleep(1000) }
    return child
  }

  /// The number of `pause` on x86-64.
  private static let pauseCall = 34

  /// Whether a thread of the process waits in `pause`, which the innermost call does.
  private static func waits(_ processID: Int32) -> Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/task")) ?? []
    return threads.contains { thread in
      let call = try? String(contentsOfFile: "/proc/\(processID)/task/\(thread)/syscall", encoding: .utf8)
      return call?.hasPrefix("\(Self.pauseCall) ") ?? false
    }
  }
}

extension ProcessStacks {
  /// The functions of the thread that has arrived, as one would say them, from the program's own innermost on.
  var arrived: [StackFrame] {
    let thread = threads.first { $0.stack.frames.contains { $0.function == "arrive()" } }
    return Array(thread?.stack.frames.drop { $0.function != "arrive()" } ?? [])
  }
}

/// Takes the stacks of a process with lines, however busy the machine is.
func stacks(of child: ChildProcess) throws(CallStackError) -> ProcessStacks {
  try ProcessStacks.of(child.processID, options: SymbolicationOptions(lineBudget: .seconds(60)))
}
