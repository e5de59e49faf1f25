/// Encodings in the middle of other text, such as a line of a log.
///
/// Much of what people write could be an encoding (`id`, `i`, `(f)`), so only what can hardly be anything else counts: a
/// record with members, a quoted class, a block's signature, types with frame offsets that begin with an object and a
/// selector, a property's attributes.
public enum EmbeddedEncodings {
  /// An encoding that was found.
  public struct Match: Sendable, Equatable {
    /// What it encodes.
    public enum Kind: String, Sendable, Equatable {
      case type, method, property, block
    }

    /// What it encodes.
    public let kind: Kind
    /// The encoding.
    public let text: String
    /// Where it is, in bytes.
    public let range: Range<Int>
  }

  /// Bytes of a line that are tried as the beginning of an encoding, over all tries: keeps hostile lines linear.
  private static let effort = 64

  /// A property's attributes are looked for in so many bytes, cut shorter so many times.
  private static let propertyWindow = 1024
  private static let propertyTries = 8

  /// The encodings in a line, from left to right.
  public static func find(in line: String) -> [Match] {
    var line = line
    return line.withUTF8 { bytes in
      var matches: [Match] = []
      var budget = effort * bytes.count
      var index = 0
      while index < bytes.count, budget > 0 {
        guard isStart(bytes, index), hasMark(bytes, index) else {
          index += 1
          continue
        }
        let (match, cost) = longest(bytes, index)
        budget -= cost
        if let match {
          matches.append(match)
          index = match.range.upperBound
        } else {
          index += 1
        }
      }
      return matches
    }
  }

  /// Whether something can begin at `index`: at the beginning, behind a space, a quote, an opening bracket, `=`, `:`.
  private static func isStart(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    let byte = bytes[index]
    guard byte.beginsType, byte != UInt8(ascii: " ") else { return false }
    guard index > 0 else { return true }
    switch bytes[index - 1] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"),
      UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "<"):
      return true
    default: return false
    }
  }

  /// A cheap look at the word that begins at `index`: whether it holds a mark of an encoding.
  private static func hasMark(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    var place = index
    var hasRecord = false
    let limit = min(bytes.count, index + 256)
    while place + 1 < limit, bytes[place] > UInt8(ascii: " ") {
      switch (bytes[place], bytes[place + 1]) {
      case (UInt8(ascii: "@"), UInt8(ascii: "\"")), (UInt8(ascii: "@"), UInt8(ascii: "?")),
        (UInt8(ascii: "@"), UInt8(ascii: "0")):
        return true
      case (UInt8(ascii: "{"), _), (UInt8(ascii: "("), _): hasRecord = true
      case (UInt8(ascii: "="), _), (UInt8(ascii: "<"), _): if hasRecord { return true }
      case (UInt8(ascii: ","), _): if bytes[index] == UInt8(ascii: "T") { return true }
      default: break
      }
      place += 1
    }
    return false
  }

  /// The longest encoding that begins at `start` and ends where a word does, and how many bytes were looked at for it.
  private static func longest(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (Match?, cost: Int) {
    let window = UnsafeBufferPointer(rebasing: bytes[start..<min(bytes.count, start + 65_536)])
    var cost = 1
    if window.first == UInt8(ascii: "T") {
      if let match = property(window, start) { return (match, match.range.count) }
      cost += propertyTries * propertyWindow
    }
    var spare = ContiguousArray<EncodingNode>()
    guard var builder = try? TreeBuilder(bytes: window, limits: ParsingLimits(nesting: 64), reusing: &spare) else {
      return (nil, cost)
    }
    let budget = builder.scanBudget
    let end = endOfTypes(&builder)
    // What was read, and what was looked at again for tags whose brackets do not pair.
    cost += builder.position + budget - builder.scanBudget
    guard let end else { return (nil, cost) }
    let text = String(decoding: window[..<end], as: UTF8.self)
    return (kind(of: text, builder).map { Match(kind: $0, text: text, range: start..<start + end) }, cost)
  }

  /// Reads types as long as they follow each other; where they end, if that is where a word does.
  private static func endOfTypes(_ builder: inout TreeBuilder) -> Int? {
    while let byte = builder.current, byte.beginsType {
      guard (try? builder.parseTypeWithOffset()) != nil else { return nil }
      if isEnd(builder.bytes, builder.position) { return builder.position }
    }
    return nil
  }

  private static func isEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard index < bytes.count else { return true }
    switch bytes[index] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"),
      UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "."), UInt8(ascii: ">"):
      return true
    default: return false
    }
  }

  /// What a list of types is; `nil` for what may just as well be a word.
  private static func kind(of text: String, _ builder: TreeBuilder) -> Match.Kind? {
    let roots = builder.rootCount(upTo: 4)
    let hasOffsets = builder.nodes.contains { $0.kind == .offset }
    if hasOffsets {
      if let block = try? BlockSignature(text), block.result.offset != nil { return .block }
      if roots >= 3, let method = try? MethodEncoding(types: text, selector: "m"), method.receiver?.offset == 0,
        !method.notes.contains(.unusualReceiver)
      {
        return .method
      }
      return nil
    }
    guard roots == 1 else { return nil }
    let isPlain = !builder.nodes.contains { node in
      node.flags.contains(.hasClass) || node.flags.contains(.hasSignature)
        || node.kind == .record && node.flags.contains(.hasMembers)
    }
    return isPlain ? nil : .type
  }

  /// Attributes up to the end of the word, or of the last attribute that can be read.
  private static func property(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Match? {
    var end = min(bytes.count, propertyWindow)
    var tries = 0
    while end > 2, tries < propertyTries {
      let text = String(decoding: bytes[..<end], as: UTF8.self)
      if text.contains(","), !(text.last?.isWhitespace ?? true),
        let property = try? PropertyEncoding(attributes: text, name: "p"), property.getter?.contains(" ") != true,
        property.setter?.contains(" ") != true, property.instanceVariable?.contains(" ") != true
      {
        return Match(kind: .property, text: text, range: start..<start + end)
      }
      tries += 1
      guard let space = bytes[..<end].lastIndex(where: { $0 == UInt8(ascii: " ") }) else { return nil }
      end = space
    }
    return nil
  }
}
