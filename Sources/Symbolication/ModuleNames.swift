/// Demangled Swift without module names: `[Swift.Int]` as `[Int]`, `main.Counter.inc()` as `Counter.inc()`.
///
/// The demangler prints text and no tree, so a module is known by its place: it comes first in a dotted name. Generic
/// parameters come first too, and are a capital and digits: `A.Element` stays.
package enum ModuleNames {
  /// Removes the modules of all names in a text. Linear in its length.
  package static func removed(from text: String) -> String {
    let source = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      if let end = extensionEnd(source, index) {
        index = end
        continue
      }
      guard startsName(source, index) else {
        output.append(source[index])
        index += 1
        continue
      }
      index = appendPath(source, index, &output)
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Copies the dotted name that begins at `start`, without its module; returns where it ends.
  private static func appendPath(_ source: [UInt8], _ start: Int, _ output: inout [UInt8]) -> Int {
    var index = nameEnd(source, start)
    let first = source[start..<index]
    let isFollowed = index + 1 < source.count && source[index] == dot && continuesPath(source, index + 1)
    if !isFollowed || isGenericParameter(first)
      || ["Builtin", "Self", "Any"].contains(where: { first.elementsEqual($0.utf8) })
    {
      output.append(contentsOf: first)
      // `A.Swift.Sequence.Element`: a protocol between, with its module.
      if isFollowed, isGenericParameter(first) { return appendQualified(source, index, &output) }
      return appendRest(source, index, &output)
    }
    index += 1
    if source[index] == UInt8(ascii: "(") { return index }
    let second = nameEnd(source, index)
    // A variable of a function has no module before it: `z.getter : Int in f()`.
    if source[second...].starts(with: " : ".utf8), isAccessor(source[index..<second]) {
      output.append(contentsOf: source[start..<index])
    }
    output.append(contentsOf: source[index..<second])
    return appendRest(source, second, &output)
  }

  /// Copies `.Name.Name` as it is.
  private static func appendRest(_ source: [UInt8], _ start: Int, _ output: inout [UInt8]) -> Int {
    var index = start
    while index + 1 < source.count, source[index] == dot, startsName(source, index + 1) || source[index + 1] == dot {
      let end = max(index + 2, nameEnd(source, index + 1))
      output.append(contentsOf: source[index..<end])
      index = end
    }
    return index
  }

  /// Copies `.Module.Protocol.Associated` behind a generic parameter as `.Protocol.Associated`.
  private static func appendQualified(_ source: [UInt8], _ start: Int, _ output: inout [UInt8]) -> Int {
    var parts: [Range<Int>] = []
    var index = start
    while index + 1 < source.count, source[index] == dot, startsName(source, index + 1) {
      let end = nameEnd(source, index + 1)
      parts.append(index + 1..<end)
      index = end
    }
    if parts.count >= 3 { parts.removeFirst() }
    for part in parts {
      output.append(dot)
      output.append(contentsOf: source[part])
    }
    return index
  }

  /// `(extension in Module):` at `index`; returns where it ends.
  private static func extensionEnd(_ source: [UInt8], _ index: Int) -> Int? {
    let opening = "(extension in "
    guard source[index] == UInt8(ascii: "("), source[index...].starts(with: opening.utf8) else { return nil }
    var end = index + opening.utf8.count
    while end < source.count, isNameByte(source[end]) { end += 1 }
    return source[end...].starts(with: "):".utf8) ? end + 2 : nil
  }

  private static let dot = UInt8(ascii: ".")

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  /// Whether a name begins at `index` and not in the middle of one.
  private static func startsName(_ source: [UInt8], _ index: Int) -> Bool {
    isNameByte(source[index]) && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(source[index])
      && (index == 0 || !isNameByte(source[index - 1]))
  }

  private static func nameEnd(_ source: [UInt8], _ start: Int) -> Int {
    var end = start
    while end < source.count, isNameByte(source[end]) { end += 1 }
    return end
  }

  /// Whether a path goes on at `index`, behind a dot: with a name, an operator, or a private name in parentheses.
  private static func continuesPath(_ source: [UInt8], _ index: Int) -> Bool {
    let byte = source[index]
    return isNameByte(byte) || "=<>!+-*/%&|^~?.".utf8.contains(byte)
      || source[index...].starts(with: "(".utf8)
  }

  private static func isAccessor(_ name: ArraySlice<UInt8>) -> Bool {
    ["getter", "setter", "modify", "read", "willset", "didset"].contains { name.elementsEqual($0.utf8) }
  }

  /// `A`, `B1`: what the demangler calls generic parameters.
  private static func isGenericParameter(_ name: ArraySlice<UInt8>) -> Bool {
    guard let first = name.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else { return false }
    return name.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
