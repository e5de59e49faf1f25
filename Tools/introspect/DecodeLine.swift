// What one line is, and what it decodes to.

import Symbolication
import TypeEncodings

/// What a line encodes.
enum DecodeKind: String, CaseIterable, Codable {
  case type, method, property, block, swift, cxx
}

/// A line that has been decoded, as far as it could be.
struct DecodedLine {
  var kind: DecodeKind
  /// The line without the name before its tab.
  var input: String
  /// The declaration, or the best effort at one.
  var text: String
  /// What is wrong with the encoding.
  var error: TypeEncodingError?
  /// Why a name could not be decoded.
  var problem: String?
  var details = Details.none

  enum Details {
    case none
    case type(EncodedType)
    case method(MethodEncoding)
    case property(PropertyEncoding)
    case block(BlockSignature)
    case name(DecodedName)
  }

  var hasFailed: Bool { error != nil || problem != nil }
}

/// Decodes lines one at a time.
struct LineDecoder {
  let options: DecodeOptions

  /// What a line decodes to. Never fails: a line that is nothing comes back with the error of the kind it comes nearest.
  func decode(_ line: String) -> DecodedLine {
    let (name, text) = Self.split(line)
    let selector = options.selector ?? name
    switch options.kind {
    case .swift, .cxx: return self.name(text)
    case .type: return type(text, name: name)
    case .method: return method(text, selector: selector)
    case .property: return property(text, name: name)
    case .block: return block(text, name: name)
    case nil: return recognized(text, name: name)
    }
  }

  /// The name before a tab, and the encoding behind it. A selector's name ends at the first tab.
  private static func split(_ line: String) -> (name: String?, text: String) {
    guard let tab = line.utf8.firstIndex(of: UInt8(ascii: "\t")) else { return (nil, line) }
    return (String(line[..<tab]), String(line[line.utf8.index(after: tab)...]))
  }

  // MARK: Recognition

  private func recognized(_ text: String, name: String?) -> DecodedLine {
    if let symbol = EncodedSymbol(text) { return self.symbol(symbol, text) }
    if Demangler.language(of: text) != nil { return self.name(text) }
    if options.selector != nil || name?.hasPrefix("-") == true || name?.hasPrefix("+") == true, !Self.isProperty(text) {
      return method(text, selector: options.selector ?? name)
    }
    if Self.isProperty(text) {
      let line = property(text, name: name)
      if !line.hasFailed || Self.mayBeProperty(text) { return line }
    }
    let asType = type(text, name: name)
    guard asType.hasFailed else { return asType }
    let asBlock = block(text, name: name)
    if !asBlock.hasFailed { return asBlock }
    let asMethod = method(text, selector: name)
    if !asMethod.hasFailed { return asMethod }
    let asProperty = text.hasPrefix("T") ? property(text, name: name) : nil
    if let asProperty, !asProperty.hasFailed { return asProperty }
    // Of the kinds that it could be at all, the one that got furthest explains best what is wrong.
    var candidates = [asType]
    if text.contains("@?") { candidates.append(asBlock) }
    if text.contains("@"), text.contains(":") { candidates.append(asMethod) }
    return candidates.max { ($0.error?.offset ?? 0) < ($1.error?.offset ?? 0) } ?? asType
  }

  /// Whether a text begins as a property's attributes do: `T…,`, or `N,T…`.
  private static func isProperty(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.contains(UInt8(ascii: ",")) else { return false }
    if first == UInt8(ascii: "T") { return true }
    let second = text.utf8.dropFirst().first
    return "RC&WNDP?".utf8.contains(first) && second == UInt8(ascii: ",") && text.utf8.contains(UInt8(ascii: "T"))
  }

  /// Whether a property that could not be read is at least none of the other kinds.
  private static func mayBeProperty(_ text: String) -> Bool { text.hasPrefix("T") }

  // MARK: Kinds

  private func symbol(_ symbol: EncodedSymbol, _ input: String) -> DecodedLine {
    var line: DecodedLine
    switch symbol.kind {
    case .selector, .selectorTypes: line = method(symbol.encoding, selector: symbol.selector ?? options.selector)
    case .blockDescriptor: line = block(symbol.encoding, name: nil)
    }
    line.input = input
    line.error = line.error?.moved(by: symbol.encodingOffset)
    return line
  }

  private func name(_ text: String) -> DecodedLine {
    let kind: DecodeKind = options.kind ?? (Demangler.language(of: text) == .cxx ? .cxx : .swift)
    let decoded = NameDecoder.decode(text) ?? (options.kind == .swift ? NameDecoder.decodeType(text) : nil)
    guard let decoded else {
      let longest = kind == .cxx ? Demangler.maximumCxxLength : Demangler.maximumSwiftLength
      let problem = text.utf8.count > longest ? "a name longer than \(longest) bytes" : "a name that does not demangle"
      return DecodedLine(kind: kind, input: text, text: text, problem: problem)
    }
    var shown = decoded.declaration
    if let context = decoded.context { shown += " // in \(context); \(decoded.demangled)" }
    if decoded.context == nil, decoded.declaration != decoded.demangled { shown += " // \(decoded.demangled)" }
    return DecodedLine(kind: kind, input: text, text: shown, details: .name(decoded))
  }

  private func type(_ text: String, name: String?) -> DecodedLine {
    let (encoding, error) = TypeEncoding.lenient(text, dialect: options.dialect)
    let shown = encoding.declaration(named: options.name ?? name, style: style(error))
    return DecodedLine(kind: .type, input: text, text: shown, error: error, details: .type(encoding.type))
  }

  private func method(_ text: String, selector: String?) -> DecodedLine {
    var (value, error) = MethodEncoding.lenient(types: text, selector: selector ?? "", dialect: options.dialect)
    if selector == nil {
      value =
        MethodEncoding.lenient(
          types: text, selector: Self.placeholder(value.arguments.count), dialect: options.dialect
        ).method
    }
    var style = style(error)
    // Names made from a selector that is made up would be made up too.
    if selector == nil { style.argumentNames = .numbered }
    let shown = value.declaration(style: style)
    return DecodedLine(kind: .method, input: text, text: shown, error: error, details: .method(value))
  }

  /// A selector for types that came without one: `method`, `method:`, `method::`.
  private static func placeholder(_ arguments: Int) -> String {
    "-method" + String(repeating: ":", count: min(arguments, 256))
  }

  private func property(_ text: String, name: String?) -> DecodedLine {
    let (value, error) = PropertyEncoding.lenient(
      attributes: text, name: options.name ?? name ?? Self.propertyName(text), dialect: options.dialect)
    let shown = value.declaration(style: style(error))
    return DecodedLine(kind: .property, input: text, text: shown, error: error, details: .property(value))
  }

  /// The instance variable names the property when nothing else does: `_title` is `title`'s.
  private static func propertyName(_ attributes: String) -> String {
    let (value, _) = PropertyEncoding.lenient(attributes: attributes, name: "")
    guard let variable = value.instanceVariable else { return "property" }
    return variable.hasPrefix("_") && variable.count > 1 ? String(variable.dropFirst()) : variable
  }

  private func block(_ text: String, name: String?) -> DecodedLine {
    let (value, error) = BlockSignature.lenient(text, dialect: options.dialect)
    let shown = value.declaration(named: options.name ?? name, style: style(error))
    return DecodedLine(kind: .block, input: text, text: shown, error: error, details: .block(value))
  }

  /// A best effort shows all that was read: nothing else tells how far it got.
  private func style(_ error: TypeEncodingError?) -> DeclarationStyle {
    guard error != nil else { return options.style }
    var style = options.style
    style.expandedLevels = Int.max
    return style
  }
}
