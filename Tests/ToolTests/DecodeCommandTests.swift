// introspect decode, by running it.
import FixtureSupport
import Foundation
import Testing

/// Runs the tool that was built beside the tests.
private func introspect(_ arguments: [String], input: String? = nil) throws -> (
  output: String, errors: String, code: Int32
) {
  let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  let process = Process()
  process.executableURL = tests.appendingPathComponent("introspect")
  process.arguments = arguments
  let (output, errors, stdin) = (Pipe(), Pipe(), Pipe())
  process.standardOutput = output
  process.standardError = errors
  process.standardInput = stdin
  try process.run()
  // Short inputs fit a pipe, so writing them first cannot wait for the reader.
  if let input { try stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
  try stdin.fileHandleForWriting.close()
  let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  let problems = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  process.waitUntilExit()
  return (text, problems, process.terminationStatus)
}

@Suite("introspect decode")
struct DecodeCommandTests {
  @Test("a method with its selector")
  func method() throws {
    let result = try introspect([
      "decode", "--selector", "-initWithFrame:style:", "@40@0:8{CGRect={CGPoint=dd}{CGSize=dd}}16i48",
    ])
    #expect(result.output == "- (id)initWithFrame:(struct CGRect)frame style:(int)style;\n")
    #expect(result.errors.isEmpty && result.code == 0)
  }

  @Test("a mistake has a caret under its byte, and the best effort")
  func mistake() throws {
    let result = try introspect(["decode", "{CGRect={CGPoint=dd"])
    #expect(
      result.errors == """
        error: a struct that is never closed
          {CGRect={CGPoint=dd
                             ^ byte 19: expected a member or '}'

        """)
    #expect(result.output == "best effort: struct CGRect { struct CGPoint { double x0; double x1; } x0; }\n")
    #expect(result.code == 1)
  }

  @Test("each kind is recognised")
  func kinds() throws {
    let cases = [
      ("[4^[2^i]]", "int *(*[4])[2]"), ("{CGRect={CGPoint=dd}{CGSize=dd}}16@0:8", "- (struct CGRect)method;"),
      ("v@:@", "- (void)method:(id)arg1;"),
      ("T{pair<int, float>=if},N,V_pair", "@property (nonatomic) struct pair<int, float> pair;"),
      ("T@\"NSString\"", "@property NSString *property;"), ("v16@?0@\"NSString\"8", "void (^)(NSString *)"),
      ("$s4main7CounterC3incSiyF", "func inc() -> Int // in class Counter; main.Counter.inc() -> Swift.Int"),
      ("_ZN1a1b1SclEif", "a::b::S::operator()(int, float)"),
      (".objc_selector_setX:_v24\u{1}0:8i16", "- (void)setX:(int)x;"),
      ("__block_descriptor_32_e8_v12\\x01?0i8l", "void (^)(int)"), ("@\"_TtC4main3Foo\"", "main.Foo *"),
      ("", "/* unknown */"),
      ("T", "unsigned __int128"),
    ]
    let result = try introspect(["decode"], input: cases.map { $0.0 + "\n" }.joined())
    #expect(result.output == cases.map { $0.1 + "\n" }.joined())
    #expect(result.code == 0)
  }

  @Test("one line in is one line out, in order, and names come before a tab")
  func lines() throws {
    let input = "-setValue:forKey:\tv32@0:8@16@24\nframe\tT{CGRect=dddd},N\n{S=[\ncount\tQ\n\n^i"
    let result = try introspect(["decode"], input: input)
    #expect(
      result.output == """
        - (void)setValue:(id)value forKey:(id)key;
        @property (nonatomic) struct CGRect frame;
        struct S { /* unknown */ x0[]; }
        unsigned long long count
        /* unknown */
        int *

        """)
    #expect(result.errors.hasPrefix("line 3: error: an array that is never closed\n  {S=[\n      ^ byte 4: "))
    #expect(result.code == 1)
  }

  @Test("options")
  func options() throws {
    #expect(try introspect(["decode", "--name", "table", "[4^[2^i]]"]).output == "int *(*table[4])[2]\n")
    #expect(try introspect(["decode", "--dialect", "gcc", "r^i"]).output == "int *const\n")
    #expect(
      try introspect(["decode", "--expand", "1", "{R={P=dd}}"]).output == "struct R { struct P x0; }\n")
    #expect(try introspect(["decode", "[4i]", "--name", "x", "q"]).output == "int x[4]\nlong long x\n")
    #expect(try introspect(["decode", "--as", "swift", "SaySiG"]).output == "[Int] // [Swift.Int]\n")
    #expect(try introspect(["decode", "--as", "property", "Ti"]).output == "@property int property;\n")
    let wrong = try introspect(["decode", "--as", "verb", "i"])
    #expect(wrong.code == 64 && wrong.errors.contains("type, method, property, block, swift, cxx"))
    #expect(try introspect(["decode", "--file", "/nonexistent"]).code == 66)
    #expect(try introspect(["decode", "--help"]).output.contains("--filter"))
  }

  @Test("JSON, an object a line")
  func json() throws {
    let result = try introspect(["decode", "--json"], input: "{P=\"x\"d}\nv24@0:8@16\n{S\n")
    let objects = try result.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.map { $0["kind"] as? String } == ["type", "method", "type"])
    #expect(objects[0]["declaration"] as? String == "struct P")
    #expect((objects[0]["layout"] as? [String: Any])?["size"] as? Int == 8)
    #expect((objects[1]["method"] as? [String: Any])?["frameSize"] as? Int == 24)
    #expect((objects[2]["error"] as? [String: Any])?["offset"] as? Int == 2)
    #expect(result.code == 1)
  }

  @Test("a log goes through the filter")
  func filter() throws {
    let line = "12:00 {CGRect={CGPoint=dd}{CGSize=dd}} in $s4main7CounterC3incSiyF (id) and _ZN1a1b1SclEif.\n"
    let result = try introspect(["decode", "--filter"], input: line + "nothing here {x}\n")
    #expect(
      result.output
        == "12:00 struct CGRect in main.Counter.inc() -> Swift.Int (id) and a::b::S::operator()(int, float).\nnothing here {x}\n"
    )
    #expect(result.code == 0)
  }
}
