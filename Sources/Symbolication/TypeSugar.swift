/// Standard types as the language writes them: `Swift.Optional<Swift.Array<Swift.Int>>` as `[Swift.Int]?`.
///
/// The runtime's demangler prints them in full; the command `swift demangle` and every programmer write the short form.
package enum TypeSugar {
  private enum Form { case optional, array, dictionary, other }

  /// What is open: where its text begins in the output, and what it becomes when it closes.
  private struct Opening {
    var form: Form
    var start: Int
    /// Where the comma between key and value is, in the output.
    var comma: Int?
    /// Whether the argument is more than one word, so that `?` would belong to a part of it.
    var isCompound = false
  }

  /// Rewrites all standard types of a demangled text.
  package static func applied(to text: String) -> String {
    let names = ["Swift.Optional<", "Swift.Array<", "Swift.Dictionary<"]
    guard names.contains(where: { TextSearch.contains($0, in: text) }) else { return text }
    let source = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(source.count)
    var open: [Opening] = []
    var index = 0
    while index < source.count {
      let byte = source[index]
      switch byte {
      case UInt8(ascii: "<"):
        open.append(opening(at: index, of: source, &output))
        if open[open.count - 1].form == .other { output.append(byte) }
      case UInt8(ascii: "("), UInt8(ascii: "["):
        open.append(Opening(form: .other, start: output.count))
        output.append(byte)
      case UInt8(ascii: ")"), UInt8(ascii: "]"):
        _ = open.popLast()
        output.append(byte)
      case UInt8(ascii: ">") where index == 0 || source[index - 1] != UInt8(ascii: "-"):
        if let closed = open.popLast() { close(closed, &output) } else { output.append(byte) }
      default:
        note(byte, at: index, of: source, output.count, &open)
        output.append(byte)
      }
      index += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// What begins with the angle at `index`. The name before it, already written, is taken back if it is sugared.
  private static func opening(at index: Int, of source: [UInt8], _ output: inout [UInt8]) -> Opening {
    let names: [(String, Form)] = [
      ("Swift.Optional", .optional), ("Swift.Array", .array), ("Swift.Dictionary", .dictionary),
    ]
    let isArgument = !beginsConstraint(source, index + 1)
    for (name, form) in names where isArgument && output.hasSuffix(name) {
      output.removeLast(name.utf8.count)
      if form != .optional { output.append(UInt8(ascii: "[")) }
      return Opening(form: form, start: output.count)
    }
    return Opening(form: .other, start: output.count)
  }

  /// `Swift.Array< where A: …>` and `Swift.Array<A where …>` are constraints and no arguments.
  private static func beginsConstraint(_ source: [UInt8], _ start: Int) -> Bool {
    var index = start
    while index < source.count, source[index] != UInt8(ascii: " ") {
      if "<>()[]".utf8.contains(source[index]) { return false }
      index += 1
    }
    return source[min(index, source.count)...].starts(with: " where ".utf8)
  }

  private static func note(_ byte: UInt8, at index: Int, of source: [UInt8], _ length: Int, _ open: inout [Opening]) {
    guard let last = open.indices.last else { return }
    if byte == UInt8(ascii: ","), open[last].form == .dictionary, open[last].comma == nil { open[last].comma = length }
    let next = index + 1 < source.count ? source[index + 1] : 0
    if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "-") && next == UInt8(ascii: ">") {
      open[last].isCompound = true
    }
  }

  private static func close(_ opening: Opening, _ output: inout [UInt8]) {
    switch opening.form {
    case .other: output.append(UInt8(ascii: ">"))
    case .array: output.append(UInt8(ascii: "]"))
    case .dictionary:
      if let comma = opening.comma, comma < output.count { output.replaceSubrange(comma...comma, with: " :".utf8) }
      output.append(UInt8(ascii: "]"))
    case .optional:
      if opening.isCompound {
        output.insert(UInt8(ascii: "("), at: opening.start)
        output.append(UInt8(ascii: ")"))
      }
      output.append(UInt8(ascii: "?"))
    }
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ text: String) -> Bool {
    let suffix = text.utf8
    guard count >= suffix.count else { return false }
    return self[(count - suffix.count)...].elementsEqual(suffix)
  }
}
