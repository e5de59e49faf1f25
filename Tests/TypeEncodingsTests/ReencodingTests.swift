// The texts put back through the toolchain's clang: `@encode` of a printed type is the string it was printed from.
//
// All types of a runtime go through one compile to LLVM's text form, which needs no SDK.
import Foundation
import Testing
import TypeEncodings

/// The compiler next to the Swift toolchain, if there is one.
private enum Clang {
  static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for folder in folders {
      if FileManager.default.isExecutableFile(atPath: folder + "/clang") { return folder + "/clang" }
      // `swift` may be a link into the toolchain, beside its clang.
      let real = URL(fileURLWithPath: folder + "/swift").resolvingSymlinksInPath().deletingLastPathComponent().path
      if FileManager.default.isExecutableFile(atPath: real + "/clang") { return real + "/clang" }
    }
    return nil
  }()

  /// What a type became: its encoding, or what the compiler said against it.
  enum Outcome {
    case encoding(String)
    case refused(String)
  }

  /// The encodings of types, by compiling `@encode` of each in a scope of its own.
  static func outcomes(of types: [String], _ flags: [String]) throws -> [Outcome] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("reencode-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // One error and the compiler writes nothing: what it refuses is taken out first.
    var lines = types.enumerated().map { "void f\($0)(void) { USED e[] = @encode(\($1)); }" }
    var outcomes = types.map { _ in Outcome.refused("no encoding was written") }
    let errors = try compile(lines, ["-fsyntax-only"] + flags, in: folder).errors
    for line in errors.split(separator: "\n") where line.contains(" error: ") {
      guard let number = line.split(separator: ":").dropFirst().first.flatMap({ Int($0) }) else { continue }
      let index = number - 1 - prologue.count
      guard lines.indices.contains(index) else { continue }
      lines[index] = ""
      outcomes[index] = .refused(String(line))
    }
    for line in try compile(lines, ["-S", "-emit-llvm", "-o", "-"] + flags, in: folder).output.split(separator: "\n") {
      guard line.hasPrefix("@f"), let number = Int(line.dropFirst(2).prefix { $0.isNumber }), number < types.count
      else {
        continue
      }
      if let text = unescaped(line) { outcomes[number] = .encoding(text) }
      // An array of one zero is the empty string.
      if line.contains("zeroinitializer") { outcomes[number] = .encoding("") }
    }
    return outcomes
  }

  private static let prologue = ["typedef _Bool BOOL;", "#define USED __attribute__((used)) static const char"]

  private static func compile(_ lines: [String], _ arguments: [String], in folder: URL) throws -> (
    output: String, errors: String
  ) {
    let (output, errors) = (folder.appendingPathComponent("output"), folder.appendingPathComponent("errors"))
    for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    try Data((prologue + lines + [""]).joined(separator: "\n").utf8).write(to: folder.appendingPathComponent("types.m"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "/nonexistent")
    process.currentDirectoryURL = folder
    process.arguments =
      ["-x", "objective-c", "-fblocks", "-w", "-ferror-limit=0", "-fno-caret-diagnostics"] + arguments + ["types.m"]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return (
      (try? String(contentsOf: output, encoding: .utf8)) ?? "", (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    )
  }

  /// `c"…\00"` as LLVM writes it.
  private static func unescaped(_ line: Substring) -> String? {
    guard let open = line.range(of: " c\"")?.upperBound, let close = line[open...].range(of: "\\00\"")?.lowerBound
    else {
      return nil
    }
    var bytes: [UInt8] = []
    var rest = line[open..<close]
    while let first = rest.first {
      if first == "\\", let code = UInt8(rest.dropFirst().prefix(2), radix: 16) {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes += Array(String(first).utf8)
        rest = rest.dropFirst()
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

@Suite("Re-encoding", .enabled(if: Clang.path != nil, "the toolchain's clang is not beside it"))
struct ReencodingTests {
  static let runtimes: [(name: String, flags: [String])] = [
    ("apple-arm64", ["-target", "arm64-apple-macosx13.0"]),
    ("apple-x86_64", ["-target", "x86_64-apple-macosx13.0"]),
    ("apple-armv7", ["-target", "armv7-apple-ios9.0"]),
    ("gnustep2", ["-target", "x86_64-unknown-linux-gnu", "-fobjc-runtime=gnustep-2.0"]),
    ("gcc-clang", ["-target", "x86_64-unknown-linux-gnu", "-fobjc-runtime=gcc"]),
  ]

  /// What C cannot say: nothing, records whose members are left out, class names (`@encode` drops them), C++'s names,
  /// Apple's one bit-field outside a record, NeXT's strings, 128 bits on ARM's 32.
  private func canBeSaid(_ row: CorpusRow, _ text: String) -> Bool {
    let cannot = ["/*", "(anonymous)", "<", "::", " : ", "NXAtom", "@^", "in const"]
    guard row.kind == .type, !row.encoding.contains("\""), !row.encoding.contains("@?<") else { return false }
    return !cannot.contains(where: text.contains)
      || text.contains("{") && !text.contains("/*") && !text.contains("<")
        && !text.contains("(anonymous)")
  }

  /// `unsigned char *` is `*`; `^C` is a pointer to an enum of that size, which the encoding does not tell apart.
  private static let exceptions: Set<String> = ["^C", "^^C", "r^C"]

  @Test("@encode of what is printed is what was read", arguments: runtimes)
  func reencode(_ runtime: (name: String, flags: [String])) throws {
    let rows = CorpusRow.all.filter { $0.runtimes.contains(runtime.name) }
    let dialect = CorpusRow.dialect(of: runtime.name)
    var types: [(encoding: String, text: String)] = []
    for row in rows {
      let text = try row.decoded(dialect, expandedLevels: 100).text
      if canBeSaid(row, text) { types.append((row.encoding, text)) }
    }
    let outcomes = try Clang.outcomes(of: types.map(\.text), runtime.flags)
    var same = 0
    var refused: [String] = []
    var others: [String] = []
    for (type, outcome) in zip(types, outcomes) {
      switch outcome {
      case .encoding(type.encoding): same += 1
      case .encoding(let text): others.append("\(type.encoding) -> \(type.text) -> \(text)")
      case .refused(let reason): refused.append("\(type.text): \(reason)")
      }
    }
    print("re-encoding: \(runtime.name): \(same) the same of \(types.count), \(refused.count) cannot be declared")
    for line in others { print("  differs:", line) }
    // Only a type whose members are not known cannot be declared by value.
    #expect(refused.allSatisfy { $0.contains("incomplete") }, "\(refused)")
    #expect(types.count > (runtime.name == "apple-armv7" ? 5 : 100))
    #expect(refused.count * 20 <= types.count)
    #expect(others.allSatisfy { line in Self.exceptions.contains { line.hasPrefix($0 + " ->") } })
  }
}
