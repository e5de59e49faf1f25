import CLinux

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// An option of a tool.
public struct OptionDeclaration: Sendable {
  /// The name after `--`.
  public let name: String
  /// The letter after `-`, if it has one.
  public let letter: Character?
  /// What stands for its value in the help; `nil` for an option without one.
  public let valueName: String?
  /// What it does, in a few words, default included. Line breaks are kept.
  public let help: String

  /// An option of a tool.
  public init(_ name: String, letter: Character? = nil, value valueName: String? = nil, help: String) {
    self.name = name
    self.letter = letter
    self.valueName = valueName
    self.help = help
  }
}

/// A command line that cannot be carried out. `description` is one line: what is wrong, and what to type instead.
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, and what to type instead.
  public let description: String

  /// A command line that cannot be carried out.
  public init(_ description: String) { self.description = description }
}

/// A command line taken apart by glibc's `getopt_long`: `--name value`, `--name=value`, `-n value`, unambiguous
/// beginnings of names. `--` ends the options, and so does the first argument that is no option where a command follows.
public struct ParsedOptions: Sendable {
  /// The options that were given, in order; the value is empty for an option without one.
  public let given: [(name: String, value: String)]
  /// What follows the options.
  public let operands: [String]
  /// Whether the operands were set off by `--`.
  public let hadSeparator: Bool

  /// Takes a command line apart.
  ///
  /// - Parameters:
  ///   - arguments: without the tool's own name.
  ///   - declarations: the options there are.
  ///   - tool: the tool's name, for messages.
  ///   - mayMix: whether options may stand after operands; not where the operands are a command with options of its own.
  public init(
    _ arguments: [String], declarations: [OptionDeclaration], tool: String, mayMix: Bool = false
  ) throws(UsageError) {
    var scan = GetoptScan(arguments: [tool] + arguments, declarations: declarations, mayMix: mayMix)
    var given: [(name: String, value: String)] = []
    while let step = scan.next() {
      switch step {
      case .option(let index, let value): given.append((declarations[index].name, value))
      case .unknown(let text): throw Self.unknownOption(text, declarations, tool)
      case .missingValue(let text):
        let declaration = declarations.first { "--" + $0.name == text || text == $0.letter.map { "-\($0)" } }
        throw UsageError(
          "\(text) needs a value: \(text) \(declaration?.valueName ?? "VALUE") (\(tool) --help explains it)")
      }
    }
    self.given = given
    operands = scan.passedOver + ([tool] + arguments).dropFirst(scan.position)
    hadSeparator = scan.position >= 2 && ([tool] + arguments)[scan.position - 1] == "--"
  }

  /// The last value given for an option, `nil` where it was not given.
  public func value(of name: String) -> String? { given.last { $0.name == name }?.value }

  /// Whether an option was given.
  public func has(_ name: String) -> Bool { given.contains { $0.name == name } }

  private static func unknownOption(_ text: String, _ declarations: [OptionDeclaration], _ tool: String) -> UsageError {
    guard text.hasPrefix("--") else { return UsageError("unknown option \(text); \(tool) --help lists the options") }
    let typed = String(text.dropFirst(2).prefix { $0 != "=" })
    let beginsWith = declarations.filter { $0.name.hasPrefix(typed) }
    if beginsWith.count > 1 {
      return UsageError("--\(typed) could be \(beginsWith.map { "--" + $0.name }.joined(separator: " or "))")
    }
    if beginsWith.count == 1 { return UsageError("--\(beginsWith[0].name) takes no value") }
    let nearest = declarations.map { ($0.name, editDistance($0.name, typed)) }.min { $0.1 < $1.1 }
    if let nearest, nearest.1 <= max(2, typed.count / 3) {
      return UsageError("unknown option --\(typed); did you mean --\(nearest.0)?")
    }
    return UsageError("unknown option --\(typed); \(tool) --help lists the options")
  }
}

/// The options as the help shows them, in two columns.
public func helpText(for declarations: [OptionDeclaration]) -> String {
  let left = declarations.map { declaration in
    (declaration.letter.map { "-\($0), " } ?? "    ") + "--" + declaration.name
      + (declaration.valueName.map { " " + $0 } ?? "")
  }
  let width = (left.map(\.count).max() ?? 0) + 4
  return zip(left, declarations).map { option, declaration in
    let lines = declaration.help.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      index == 0
        ? "  " + option + String(repeating: " ", count: width - option.count - 2) + line
        : String(repeating: " ", count: width) + line
    }.joined(separator: "\n")
  }.joined(separator: "\n")
}

/// How many single-letter changes lead from one word to the other (Levenshtein 1966).
public func editDistance(_ first: String, _ second: String) -> Int {
  let target = Array(second)
  var row = Array(0...target.count)
  for (index, letter) in first.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in target.indices {
      let substituted = diagonal + (letter == target[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
    }
  }
  return row[target.count]
}

/// `getopt_long` over Swift strings: owns the C copies of the arguments while it goes on.
private struct GetoptScan {
  enum Step {
    case option(index: Int, value: String)
    case unknown(String)
    case missingValue(String)
  }

  private let arguments: [String]
  private let declarations: [OptionDeclaration]
  private(set) var position = 0
  /// Operands that stood before an option.
  private(set) var passedOver: [String] = []
  private var steps: [Step] = []
  private var taken = 0

  /// Goes through the options at once, since getopt keeps its place in global variables.
  init(arguments: [String], declarations: [OptionDeclaration], mayMix: Bool) {
    self.arguments = arguments
    self.declarations = declarations
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let names = declarations.map { strdup($0.name) }
    defer { for case let copy? in words + names { free(copy) } }
    var table = zip(declarations, names).enumerated().map { index, pair in
      option(
        name: pair.1.map { UnsafePointer($0) }, has_arg: pair.0.valueName == nil ? no_argument : required_argument,
        flag: nil, val: 1000 + Int32(index))
    }
    table.append(option())
    var letters = "+:"
    for declaration in declarations {
      guard let letter = declaration.letter else { continue }
      letters.append(letter)
      if declaration.valueName != nil { letters.append(":") }
    }
    run(words, table, letters, mayMix: mayMix)
  }

  private mutating func run(
    _ words: [UnsafeMutablePointer<CChar>?], _ table: [option], _ letters: String, mayMix: Bool
  ) {
    var next: Int32 = 0
    var argument: UnsafePointer<CChar>?
    var offending: Int32 = 0
    while true {
      let found = cl_getopt_long(Int32(arguments.count), words, letters, table, &next, &argument, &offending)
      if found == -1 {
        let isSeparated = next > 0 && Int(next) <= arguments.count && arguments[Int(next) - 1] == "--"
        guard mayMix, !isSeparated, Int(next) < arguments.count else { break }
        passedOver.append(arguments[Int(next)])
        next += 1
        continue
      }
      let word = next > 0 && Int(next) <= arguments.count ? arguments[Int(next) - 1] : ""
      switch found {
      case Int32(UInt8(ascii: "?")): steps.append(.unknown(offendingText(offending, word, isUnknown: true)))
      case Int32(UInt8(ascii: ":")): steps.append(.missingValue(offendingText(offending, word, isUnknown: false)))
      default:
        guard let index = index(ofValue: found) else { continue }
        steps.append(.option(index: index, value: argument.map { String(cString: $0) } ?? ""))
      }
    }
    position = Int(next)
  }

  mutating func next() -> Step? {
    guard taken < steps.count else { return nil }
    defer { taken += 1 }
    return steps[taken]
  }

  private func index(ofValue value: Int32) -> Int? {
    if value >= 1000 { return Int(value) - 1000 < declarations.count ? Int(value) - 1000 : nil }
    return UnicodeScalar(UInt32(bitPattern: value)).flatMap { scalar in
      declarations.firstIndex { $0.letter == Character(scalar) }
    }
  }

  /// getopt gives the letter of a short option, the number of a known long one, and nothing for an unknown long one.
  private func offendingText(_ offending: Int32, _ word: String, isUnknown: Bool) -> String {
    if offending >= 1000, let index = index(ofValue: offending) {
      return "--" + declarations[index].name + (isUnknown ? "=" : "")
    }
    if offending > 0, let scalar = UnicodeScalar(UInt32(bitPattern: offending)) { return "-\(Character(scalar))" }
    return word
  }
}
