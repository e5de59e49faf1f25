// introspect decode: encodings and mangled names as the declarations they came from.

import MeasurementText
import Symbolication
import ToolSupport
import TypeEncodings

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// What was asked for on the command line.
struct DecodeOptions {
  var kind: DecodeKind?
  var selector: String?
  var name: String?
  var dialect = EncodingDialect.apple
  var style = DeclarationStyle()
  var isJSON = false
  var isFilter = false
  var file: String?
  var strings: [String] = []
}

enum DecodeCommand {
  private static let declarations = [
    OptionDeclaration("as", value: "KIND", help: "type, method, property, block, swift or cxx; found out by default"),
    OptionDeclaration("selector", value: "SELECTOR", help: "the selector of a method: -setValue:forKey:"),
    OptionDeclaration("name", value: "NAME", help: "the name of a property, a variable, a member or a block"),
    OptionDeclaration("dialect", value: "NAME", help: "apple, gnustep2 or gcc, where the string does not tell (apple)"),
    OptionDeclaration("expand", value: "LEVELS", help: "levels of structs that show their members (0)"),
    OptionDeclaration("file", value: "FILE", help: "lines from a file instead of standard input"),
    OptionDeclaration("json", help: "one JSON object a line"),
    OptionDeclaration("filter", help: "pass text through, with the encodings and names in it decoded"),
    OptionDeclaration("help", letter: "h", help: "this text"),
  ]

  private static var help: String {
    """
    usage: introspect decode [options] [STRING…]

    Writes the declaration that an Objective-C type encoding, a method's types, a property's attributes, a block's
    signature or a mangled name of Swift or C++ came from. Without STRINGs reads lines from standard input, one
    declaration for each, in order. A line may have the name it needs before a tab:

      -setValue:forKey:<TAB>v32@0:8@16@24      frame<TAB>T{CGRect=dddd},N

    \(helpText(for: declarations))

    exit codes: 0 all decoded, 1 something could not be, 64 wrong use, 66 no such file

    """
  }

  static func run(_ arguments: [String]) throws(ToolFailure) {
    let options = try parse(arguments)
    guard let options else { return Console.writeOutput(help) }
    var session = DecodeSession(options: options)
    if options.strings.isEmpty {
      try session.runLines()
    } else {
      session.runStrings()
    }
    if session.hasFailed { exit(ExitCode.failure.rawValue) }
  }

  private static func parse(_ arguments: [String]) throws(ToolFailure) -> DecodeOptions? {
    let parsed: ParsedOptions
    do {
      parsed = try ParsedOptions(optionsFirst(arguments), declarations: declarations, tool: "introspect decode")
    } catch {
      throw ToolFailure(.usage, "\(error)")
    }
    if parsed.has("help") { return nil }
    var options = DecodeOptions()
    options.selector = parsed.value(of: "selector")
    options.name = parsed.value(of: "name")
    options.file = parsed.value(of: "file")
    options.isJSON = parsed.has("json")
    options.isFilter = parsed.has("filter")
    options.strings = parsed.operands
    if let kind = parsed.value(of: "as") {
      guard let known = DecodeKind(rawValue: kind) else {
        let kinds = DecodeKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ToolFailure(.usage, "--as \(LineText.bounded(kind)): there is no such kind; it is one of \(kinds)")
      }
      options.kind = known
    }
    if let dialect = parsed.value(of: "dialect") { options.dialect = try Self.dialect(dialect) }
    if let levels = parsed.value(of: "expand") {
      guard let count = Int(levels), count >= 0 else {
        throw ToolFailure(
          .usage, "--expand \(LineText.bounded(levels)): a number of levels is needed, such as --expand 2")
      }
      options.style.expandedLevels = count
    }
    if options.file != nil, !options.strings.isEmpty {
      throw ToolFailure(.usage, "--file and strings to decode: give one or the other")
    }
    if options.isFilter, options.isJSON { throw ToolFailure(.usage, "--filter passes text through: it cannot be JSON") }
    return options
  }

  /// The options before the strings, wherever they stood: no encoding begins with `--`. Behind a `--` all are strings.
  private static func optionsFirst(_ arguments: [String]) -> [String] {
    var options: [String] = []
    var strings: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst(), argument != "--" {
      guard argument.hasPrefix("--") || argument == "-h" else {
        strings.append(argument)
        continue
      }
      options.append(argument)
      let takesValue = declarations.contains { "--" + $0.name == argument && $0.valueName != nil }
      if takesValue, let value = rest.popFirst() { options.append(value) }
    }
    return options + ["--"] + strings + rest
  }

  private static func dialect(_ name: String) throws(ToolFailure) -> EncodingDialect {
    // clang writes for the GCC runtime as it does for GNUstep's.
    if name == "gcc-clang" { return .gnustep2 }
    guard let dialect = EncodingDialect(rawValue: name) else {
      throw ToolFailure(
        .usage, "--dialect \(LineText.bounded(name)): there is no such dialect; it is apple, gnustep2 or gcc")
    }
    return dialect
  }
}
