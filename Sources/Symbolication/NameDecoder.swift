import TypeEncodings

/// A mangled name in all the forms there are.
public struct DecodedName: Sendable, Equatable, Codable {
  /// The symbol.
  public let mangled: String
  /// The language it was mangled for.
  public let language: Demangler.Language
  /// What the runtime makes of it: `main.Counter.inc() -> Swift.Int`.
  public let demangled: String
  /// The same without modules: `Counter.inc() -> Int`.
  public let simplified: String
  /// The declaration in the source: `func inc() -> Int`. The simplified text for what no one declares, such as metadata.
  public let declaration: String
  /// What it is declared in: `class Counter`. A mangled name does not tell actors from classes. `nil` at the top level.
  public let context: String?
}

/// Mangled names of Swift and C++ as the declarations they came from.
public enum NameDecoder {
  /// Everything a mangled name says; `nil` for text that does not demangle.
  public static func decode(_ name: String) -> DecodedName? {
    guard let language = Demangler.language(of: name), let demangled = Demangler.demangled(name) else { return nil }
    return decoded(name, language, demangled)
  }

  /// Everything that a Swift type without a prefix says, as metadata holds it: `SaySiG`.
  public static func decodeType(_ mangling: String) -> DecodedName? {
    Demangler.demangledType(mangling).map { decoded(mangling, .swift, $0) }
  }

  /// The declaration a mangled name came from: `func inc() -> Int`, `var area: Double { get }`, `init(side: Double)`.
  /// `nil` for text that does not demangle.
  public static func declaration(for name: String) -> String? { decode(name)?.declaration }

  private static func decoded(_ name: String, _ language: Demangler.Language, _ demangled: String) -> DecodedName {
    guard language == .swift else {
      return DecodedName(
        mangled: name, language: language, demangled: demangled, simplified: demangled, declaration: demangled,
        context: nil)
    }
    let simplified = ModuleNames.removed(from: demangled)
    let entity = SwiftEntity(simplified)
    return DecodedName(
      mangled: name, language: language, demangled: demangled, simplified: simplified,
      declaration: entity?.declaration(in: name) ?? simplified, context: entity?.context(in: name))
  }
}
