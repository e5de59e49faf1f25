import CSwiftRuntime
import TypeEncodings

/// Turns mangled names of Swift and C++ into the names of the source.
///
/// The work is done by the runtimes that are in the process anyway (`swift_demangle`, `__cxa_demangle`); both recurse as
/// deep as a name nests, so what is handed to them is bounded. Swift's names from before version 4 are read here, since
/// the runtime has forgotten them. Any number of threads may demangle at once. A few µs a name, some 30 µs for names of more
/// than 200 bytes, which get a thread with a deeper stack.
public enum Demangler {
  /// The language a name was mangled for.
  public enum Language: String, Sendable, Codable {
    case swift
    case cxx = "c++"
  }

  /// The longest Swift name that is demangled, in bytes. Each byte may nest a level deeper, for which the runtime takes
  /// up to 1.5 KiB of stack (measured on 6.3.1); the longest name in the toolchain's own libraries has 642 bytes.
  public static let maximumSwiftLength = 8192

  /// Up to so many bytes a name is demangled on the caller's stack: 300 KiB of it at most.
  private static let maximumShallowLength = 200

  /// The longest C++ name that is demangled, in bytes. libstdc++ itself refuses deep recursion only in part.
  public static let maximumCxxLength = 4096

  /// The language a name is mangled for, by its first bytes; `nil` for names that are not mangled.
  public static func language(of name: some StringProtocol) -> Language? {
    let bytes = name.utf8
    for prefix in swiftPrefixes where bytes.starts(with: prefix.utf8) { return .swift }
    for prefix in cxxPrefixes where bytes.starts(with: prefix.utf8) { return .cxx }
    return nil
  }

  /// The name in the source, as the runtime prints it: `main.Counter.inc() -> Swift.Int`. `nil` for text that does not
  /// demangle or is too long.
  public static func demangled(_ name: String) -> String? {
    switch language(of: name) {
    case .swift: swift(name)
    case .cxx: cxx(name)
    case nil: nil
    }
  }

  /// The name in the source without the modules: `Counter.inc() -> Int`. `nil` for text that does not demangle.
  public static func simplified(_ name: String) -> String? {
    demangled(name).map { language(of: name) == .swift ? ModuleNames.removed(from: $0) : $0 }
  }

  /// The name in the source, or the text itself where it does not demangle.
  public static func readable(_ name: String) -> String { demangled(name) ?? name }

  /// A Swift type as metadata and reflection mangle it, without a prefix: `SaySiG` is `[Swift.Int]`.
  public static func demangledType(_ mangling: String) -> String? {
    guard !mangling.isEmpty, language(of: mangling) == nil, mangling.utf8.allSatisfy({ $0 >= 0x20 }) else { return nil }
    return swiftRuntime("$s" + mangling + "D") ?? swiftRuntime("$s" + mangling)
  }

  private static let swiftPrefixes = ["$s", "$S", "$e", "_$s", "_$S", "_$e", "@__swiftmacro_", "_T"]
  private static let cxxPrefixes = ["_Z", "__Z", "___Z"]

  private static func swift(_ name: String) -> String? {
    if name.hasPrefix("_T0") {
      // Version 4.0 mangled as `$S` did later, but for the prefix.
      return swiftRuntime("$S" + name.dropFirst(3))
    }
    return name.hasPrefix("_T") ? SwiftClassName.demangled(name) : swiftRuntime(name)
  }

  private static func swiftRuntime(_ name: String) -> String? {
    guard name.utf8.count <= maximumSwiftLength, !name.utf8.contains(0), MangledExpansion.isBounded(name, .swift) else {
      return nil
    }
    let isShallow = name.utf8.count <= maximumShallowLength
    let text = isShallow ? demangledHere(name) : DeepStack.run { demangledHere(name) } ?? nil
    return text == name ? nil : text.map(TypeSugar.applied)
  }

  private static func demangledHere(_ name: String) -> String? {
    name.withCString { owned(csr_swift_demangle($0, name.utf8.count)) }
  }

  private static func cxx(_ name: String) -> String? {
    guard name.utf8.count <= maximumCxxLength, !name.utf8.contains(0), MangledExpansion.isBounded(name, .cxx) else {
      return nil
    }
    // Mach-O puts an underscore before every C name.
    let plain = name.hasPrefix("__Z") ? String(name.dropFirst()) : name
    return plain.withCString { owned(csr_cxx_demangle($0)) }
  }

  /// The text of a C string that is ours to free.
  private static func owned(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text else { return nil }
    defer { csr_free(text) }
    return String(cString: text)
  }
}
