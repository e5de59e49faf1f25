/// Chooses types by name: part of the name, or the whole of it where the pattern has a `*`. Written in small letters it
/// does not tell small from capital ones.
public struct TypePattern: Sendable {
  private let parts: [[UInt8]]
  private let ignoresCase: Bool
  private let isWhole: Bool

  /// A pattern as a user types it: `Session`, `shop.*`, `*Storage<*>`. An empty one matches everything.
  public init(_ text: String) {
    ignoresCase = text.lowercased() == text
    isWhole = text.contains("*")
    parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// Whether a name matches. Linear in its length for each part between stars.
  public func matches(_ name: String) -> Bool {
    let bytes = Array((ignoresCase ? name.lowercased() : name).utf8)
    guard isWhole else { return parts.isEmpty || Self.place(of: parts[0], in: bytes[...]) != nil }
    var rest = bytes[...]
    for (index, part) in parts.enumerated() {
      switch index {
      case 0:
        guard rest.starts(with: part) else { return false }
        rest = rest.dropFirst(part.count)
      case parts.count - 1: return rest.count >= part.count && rest.suffix(part.count).elementsEqual(part)
      default:
        guard let place = Self.place(of: part, in: rest) else { return false }
        rest = rest[(place + part.count)...]
      }
    }
    return true
  }

  private static func place(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    guard part.count <= bytes.count else { return nil }
    return (bytes.startIndex...(bytes.endIndex - part.count)).first { bytes[$0...].starts(with: part) }
  }
}
