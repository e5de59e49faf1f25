import Testing
import ToolSupport

@Suite struct OptionParserTests {
  private let declarations = [
    OptionDeclaration("interval", letter: "i", value: "TIME", help: "first\nsecond"),
    OptionDeclaration("include", help: "x"),
    OptionDeclaration("quiet", letter: "q", help: "y"),
  ]

  private func parse(_ arguments: String...) throws(UsageError) -> ParsedOptions {
    try ParsedOptions(arguments, declarations: declarations, tool: "tool")
  }

  @Test func everyFormOfAnOption() throws {
    let parsed = try parse("-i", "1s", "--interval=2s", "-qi3s", "--inter", "4s", "command", "--quiet", "-i")
    #expect(parsed.given.map(\.name) == ["interval", "interval", "quiet", "interval", "interval"])
    #expect(parsed.value(of: "interval") == "4s")
    #expect(parsed.has("quiet") && !parsed.has("include"))
    #expect(parsed.operands == ["command", "--quiet", "-i"])
    #expect(!parsed.hadSeparator)
  }

  @Test func theSeparatorEndsTheOptions() throws {
    let parsed = try parse("--quiet", "--", "--interval", "x")
    #expect(parsed.operands == ["--interval", "x"])
    #expect(parsed.hadSeparator)
    #expect(try parse("--interval", "--", "x").value(of: "interval") == "--")
  }

  @Test func whereNoCommandFollowsOptionsMayComeLast() throws {
    let parsed = try ParsedOptions(
      ["a", "--quiet", "b", "-i", "1s", "--", "-q", "c"], declarations: declarations, tool: "tool", mayMix: true)
    #expect(parsed.operands == ["a", "b", "-q", "c"])
    #expect(parsed.given.map(\.name) == ["quiet", "interval"])
    let none = try ParsedOptions(["-", "a"], declarations: declarations, tool: "tool", mayMix: true)
    #expect(none.operands == ["-", "a"])
  }

  @Test func mistakesAreNamed() {
    #expect(throws: UsageError("unknown option --intervel; did you mean --interval?")) { try parse("--intervel", "1") }
    #expect(throws: UsageError("--in could be --interval or --include")) { try parse("--in", "1") }
    #expect(throws: UsageError("-i needs a value: -i TIME (tool --help explains it)")) { try parse("-i") }
    #expect(throws: UsageError("--quiet takes no value")) { try parse("--quiet=1") }
    #expect(throws: UsageError("unknown option -z; tool --help lists the options")) { try parse("-z") }
  }

  @Test func theHelpIsInTwoColumns() {
    #expect(
      helpText(for: declarations) == """
          -i, --interval TIME  first
                               second
              --include        x
          -q, --quiet          y
        """)
  }
}
