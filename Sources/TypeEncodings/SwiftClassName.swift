/// Names of Swift classes and protocols as the Objective-C runtime has them.
///
/// Swift registers its classes with names of its mangling before version 4: `_TtC4main3Foo` is `main.Foo`. The runtime's
/// own demangler leaves those as they are, so they are read here.
public enum SwiftClassName {
  /// The name for a reader: `main.Foo` for `_TtC4main3Foo`, private classes without their file. `nil` for other names.
  public static func readable(_ name: String) -> String? {
    guard name.utf8.starts(with: "_T".utf8), let text = OldSwiftMangling.demangled(name) else { return nil }
    return withoutFiles(text)
  }

  /// The name as the toolchain's demangler prints it: `main.(Foo in _0123…)` for a private class. Reads functions and
  /// accessors too. `nil` for names that are no old ones.
  public static func demangled(_ name: String) -> String? { OldSwiftMangling.demangled(name) }

  /// `main.(Foo in _0123)` as `main.Foo`.
  private static func withoutFiles(_ text: String) -> String {
    guard text.contains(" in _"), let open = text.firstIndex(of: "(") else { return text }
    guard let middle = text[open...].range(of: " in _"), let close = text[middle.lowerBound...].firstIndex(of: ")")
    else {
      return text
    }
    return String(text[..<open]) + text[text.index(after: open)..<middle.lowerBound]
      + withoutFiles(String(text[text.index(after: close)...]))
  }
}

extension Substring {
  /// Where a piece of text is; the standard library alone has no search for more than one character.
  fileprivate func range(of piece: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(piece), let end = index(start, offsetBy: piece.count, limitedBy: endIndex) {
        return start..<end
      }
      start = index(after: start)
    }
    return nil
  }
}
