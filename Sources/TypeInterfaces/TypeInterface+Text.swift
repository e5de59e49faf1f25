// A declaration as Swift source.

import MeasurementText
import Symbolication

extension TypeInterface {
  /// The declaration as the source of a module interface: without bodies, as `.swiftinterface` files have it, which
  /// `swift-frontend -parse` accepts.
  ///
  /// Members are in a stable order: stored properties as the source has them, others by kind and name.
  public func text(_ options: InterfaceTextOptions = InterfaceTextOptions()) -> String {
    var writer = InterfaceWriter(options)
    writer.write(self)
    return writer.text
  }

  /// One line that says what is known in figures: `module Shop, class, instances of 96 bytes`.
  public var summary: String {
    var parts = kind == .extension ? ["module \(module)", "extended"] : ["module \(module)", kind.rawValue]
    if let size = layout?.instanceSize {
      parts.append("instances of \(ByteText.format(size))")
    } else if let layout {
      parts.append(ByteText.format(layout.size))
      if layout.stride != layout.size { parts.append("stride \(layout.stride)") }
    }
    if isLocal { parts.append("declared within a function") }
    return parts.joined(separator: ", ")
  }
}

/// Writes declarations.
private struct InterfaceWriter {
  private(set) var text = ""
  private let options: InterfaceTextOptions
  private var indentation = ""

  init(_ options: InterfaceTextOptions) { self.options = options }

  mutating func write(_ type: TypeInterface) {
    line("// " + type.summary)
    for gap in type.gaps { line("// not known: \(gap.explanation)") }
    let nesting = type.name.split(separator: ".")
    let outer = nesting.dropLast().map { SourceName.quoted(String($0)) }.joined(separator: ".")
    if type.kind == .extension {
      writeExtension(type)
    } else if outer.isEmpty || type.isLocal {
      body(type)
    } else {
      open("extension \(outer)")
      body(type)
      close()
    }
    for (index, addition) in type.extensions.enumerated() {
      let isFirstOfAll =
        index == 0 && type.kind == .extension && !type.conformances.contains(where: \.constraints.isEmpty)
      if !isFirstOfAll { text += "\n" }
      writeAddition(addition, to: type)
    }
    conditionalConformances(type)
    if !type.localFunctions.isEmpty {
      text += "\n"
      line("// within members")
      for function in type.localFunctions { line("// " + LineText.bounded(function, limit: 400)) }
    }
  }

  // MARK: - The type

  private mutating func body(_ type: TypeInterface) {
    open(head(type))
    var sections: [(title: String, lines: [String])] = []
    if type.kind == .protocol { sections.append(("associated types", type.associatedTypes.map(associatedType))) }
    sections.append(("cases", type.cases.map(\.declaration)))
    sections.append(("stored", stored(type)))
    sections += memberSections(type.members)
    write(sections)
    close()
  }

  private func head(_ type: TypeInterface) -> String {
    let name = type.name.split(separator: ".").last.map(String.init) ?? type.name
    var text = type.isPrivate ? "private " : ""
    text += "\(type.kind.rawValue) \(SourceName.quoted(name))"
    // Those of the types around are declared there.
    let parameters = ownParameters(type)
    if !parameters.isEmpty { text += "<" + parameters.joined(separator: ", ") + ">" }
    var inherited = type.superclass.map { [$0] } ?? []
    if type.isNoncopyable { inherited.append("~Copyable") }
    // An actor is one without saying so.
    inherited += type.conformances.filter { $0.constraints.isEmpty && !(type.kind == .actor && $0.name == "Actor") }
      .map(\.name)
    if !inherited.isEmpty { text += ": " + inherited.joined(separator: ", ") }
    if !type.constraints.isEmpty { text += " where " + type.constraints.joined(separator: ", ") }
    return text
  }

  /// In a type within another, the outer one's parameters come first: those of the greatest depth are its own.
  private func ownParameters(_ type: TypeInterface) -> [String] {
    guard type.name.contains(".") else { return type.genericParameters }
    func depth(_ name: String) -> String { String(name.drop { !$0.isNumber }) }
    guard let deepest = type.genericParameters.last.map(depth), !deepest.isEmpty else { return [] }
    return type.genericParameters.filter { depth($0) == deepest }
  }

  private func associatedType(_ name: String) -> String { "associatedtype " + SourceName.quoted(name) }

  private func stored(_ type: TypeInterface) -> [String] {
    let declarations = type.storedProperties.map(\.declaration)
    guard options.showsOffsets else { return declarations }
    let width = min(declarations.map(\.count).max() ?? 0, 60)
    return zip(declarations, type.storedProperties).map { declaration, property in
      var facts: [String] = []
      if let offset = property.offset { facts.append("offset \(offset)") }
      if let size = property.size { facts.append(size == 1 ? "1 byte" : "\(size) bytes") }
      guard !facts.isEmpty else { return declaration }
      let space = String(repeating: " ", count: max(0, width - declaration.count))
      return declaration + space + "  // " + facts.joined(separator: ", ")
    }
  }

  // MARK: - Members

  private static let titles: [(kind: InterfaceMember.Kind, title: String)] = [
    (.property, "properties"), (.subscript, "subscripts"), (.initializer, "initialisers"), (.method, "methods"),
    (.operator, "operators"), (.deinitializer, ""),
  ]

  private func memberSections(_ members: [InterfaceMember]) -> [(title: String, lines: [String])] {
    Self.titles.map { kind, title in (title, members.filter { $0.kind == kind }.map(\.declaration)) }
  }

  private mutating func write(_ sections: [(title: String, lines: [String])]) {
    let filled = sections.filter { !$0.lines.isEmpty }
    let hasTitles = filled.count > 1
    for section in filled {
      if hasTitles, !section.title.isEmpty { line("// " + section.title) }
      for declaration in section.lines { line(declaration) }
    }
  }

  // MARK: - Extensions

  private mutating func writeExtension(_ type: TypeInterface) {
    let plain = type.conformances.filter(\.constraints.isEmpty).map(\.name)
    guard !plain.isEmpty else { return }
    open("extension \(quotedPath(type.name)): " + plain.joined(separator: ", "))
    close()
  }

  private mutating func writeAddition(_ addition: InterfaceExtension, to type: TypeInterface) {
    if addition.module != type.module { line("// from module \(addition.module)") }
    let clause = addition.constraints.isEmpty ? "" : " where " + addition.constraints.joined(separator: ", ")
    open("extension \(quotedPath(type.name))\(clause)")
    write(memberSections(addition.members))
    close()
  }

  private mutating func conditionalConformances(_ type: TypeInterface) {
    for conformance in type.conformances where !conformance.constraints.isEmpty {
      text += "\n"
      open(
        "extension \(quotedPath(type.name)): \(conformance.name) where "
          + conformance.constraints.joined(separator: ", "))
      close()
    }
  }

  private func quotedPath(_ name: String) -> String {
    name.split(separator: ".").map { SourceName.quoted(String($0)) }.joined(separator: ".")
  }

  // MARK: - Lines

  private mutating func open(_ head: String) {
    line(head + " {")
    indentation += "  "
  }

  private mutating func close() {
    indentation = String(indentation.dropLast(2))
    line("}")
  }

  /// What could not be written as source, such as a type within a function, stands there as a comment.
  private mutating func line(_ declaration: String) {
    let isSource =
      declaration.hasPrefix("//")
      || !declaration.utf8.contains(UInt8(ascii: "#")) && !TextSearch.contains("<<opaque", in: declaration)
    text += indentation + (isSource ? declaration : "// " + declaration) + "\n"
  }
}
