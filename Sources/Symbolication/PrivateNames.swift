/// Demangled Swift without what tells private names of different files apart: `(audit in _A33…)` as `audit`, and without
/// `(extension in Module):`.
package enum PrivateNames {
  /// Removes the marks of all private names in a text.
  package static func removed(from text: String) -> String {
    guard TextSearch.contains(" in _", in: text) || TextSearch.contains("(extension in ", in: text) else { return text }
    let source = Array(text.utf8)
    var output: [UInt8] = []
    output.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
      if source[index] == UInt8(ascii: "("), let (name, end) = privateName(source, index) {
        output.append(contentsOf: source[name])
        index = end
      } else {
        output.append(source[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// The name in `(name in _0123ABCD)`, or nothing in `(extension in Module):`, and where it ends.
  private static func privateName(_ source: [UInt8], _ start: Int) -> (Range<Int>, Int)? {
    let nameStart = start + 1
    guard let space = source[nameStart...].firstIndex(of: UInt8(ascii: " ")),
      source[space...].starts(with: " in ".utf8),
      let close = source[space...].firstIndex(of: UInt8(ascii: ")"))
    else { return nil }
    if source[nameStart..<space].elementsEqual("extension".utf8) {
      return source[close...].starts(with: "):".utf8) ? (nameStart..<nameStart, close + 2) : nil
    }
    let mark = source[(space + 4)..<close]
    guard !source[nameStart..<space].contains(where: { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")") }),
      mark.first == UInt8(ascii: "_"), nameStart < space,
      mark.dropFirst().allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x41 && $0 <= 0x5A || $0 == 0x5F })
    else { return nil }
    return (nameStart..<space, close + 1)
  }
}
