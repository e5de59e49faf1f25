import Symbolication

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

  /// Whether a name matches. Linear in its length for each part between stars; an assertion on memory asks this for each type
  /// of each census, in programs that no optimizer has seen, so it makes no objects on the way.
  public func matches(_ name: String) -> Bool {
    var name = ignoresCase ? name.lowercased() : name
    return name.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  private func matches(_ name: UnsafeRawBufferPointer) -> Bool {
    guard isWhole, let first = parts.first, let last = parts.last else {
      return parts.first.map { Self.place(of: $0, in: name, from: 0) != nil } ?? true
    }
    guard name.count >= first.count + last.count, Self.place(of: first, in: name.front(first.count), from: 0) != nil
    else { return false }
    var start = first.count
    for part in parts.dropFirst().dropLast() {
      guard let place = Self.place(of: part, in: name, from: start) else { return false }
      start = place + part.count
    }
    // What a part in the middle has taken is not there for the end.
    let end = name.count - last.count
    return end >= start && Self.place(of: last, in: name, from: end) != nil
  }

  /// An empty part is everywhere.
  private static func place(of part: [UInt8], in name: UnsafeRawBufferPointer, from offset: Int) -> Int? {
    part.isEmpty ? offset : part.withUnsafeBytes { TextSearch.place(of: $0, in: name, from: offset) }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func front(_ length: Int) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[..<length]) }
}
