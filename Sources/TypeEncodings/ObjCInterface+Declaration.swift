extension ObjCInterface {
  /// The parts whose encodings could not be read.
  public var problems: [Problem] { InterfaceParts(self, dialect: .apple).problems }

  /// The class as its header: instance variables; then constructors, the methods of each protocol, properties, and what
  /// is left. Accessors of declared properties and methods that compilers add are left out.
  ///
  /// - Parameters:
  ///   - dialect: whose compiler wrote the encodings, where they do not tell.
  ///   - style: how types are written. Its layout is that of methods and properties; variables are always indented.
  public func declaration(dialect: EncodingDialect = .apple, style: DeclarationStyle = DeclarationStyle()) -> String {
    let parts = InterfaceParts(self, dialect: dialect)
    var groups: [String] = []
    if let classes = parts.forwardDeclarations { groups.append(classes + "\n") }
    groups.append(head + variableBlock(parts, style))
    groups.append(parts.constructors.map { $0.constructor(style) }.lines)
    for (name, methods) in parts.protocolMethods {
      groups.append("// \(name)\n" + methods.map { $0.line(style) }.lines)
    }
    groups.append(parts.properties.map { $0.line(style) }.lines)
    groups.append(parts.classMethods.map { $0.line(style) }.lines)
    groups.append(parts.instanceMethods.map { $0.line(style) }.lines)
    return groups.filter { !$0.isEmpty }.joined(separator: "\n") + "\n@end\n"
  }

  private var readableName: String { SwiftClassName.readable(className) ?? className }

  private var head: String {
    var text = "@interface " + readableName
    if let superclassName { text += " : " + (SwiftClassName.readable(superclassName) ?? superclassName) }
    if !protocols.isEmpty { text += " <" + protocols.map(\.name).joined(separator: ", ") + ">" }
    return text
  }

  private func variableBlock(_ parts: InterfaceParts, _ style: DeclarationStyle) -> String {
    guard !parts.variables.isEmpty else { return "\n" }
    // Members of a struct go on lines of their own here, as a person would write them; elsewhere they would not.
    var style = style
    style.layout = .indented(by: 4)
    let lines = parts.variables.map { variable in
      let text = variable.type.declaration(named: variable.name, style: style) + ";" + variable.error.comment
      return "    " + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n    ")
    }
    return " {\n" + lines.lines + "}\n"
  }
}

extension [String] {
  /// Each on a line of its own.
  fileprivate var lines: String { map { $0 + "\n" }.joined() }
}

extension TypeEncodingError? {
  /// What is wrong, as a comment behind a declaration.
  fileprivate var comment: String { map { " // \($0.description)" } ?? "" }
}

/// The parts of a class, read and sorted.
private struct InterfaceParts {
  struct Variable {
    var name: String
    var type: EncodedType
    var error: TypeEncodingError?
  }

  struct Property {
    var value: PropertyEncoding
    var error: TypeEncodingError?

    func line(_ style: DeclarationStyle) -> String { value.declaration(style: style) + error.comment }
  }

  struct Method {
    var selector: String
    var value: MethodEncoding
    var error: TypeEncodingError?

    func line(_ style: DeclarationStyle) -> String { value.declaration(style: style) + error.comment }

    /// What a constructor returns is an instance, which the encoding has forgotten.
    func constructor(_ style: DeclarationStyle) -> String {
      let text = line(style)
      return text.dropFirst(2).hasPrefix("(id)") ? text.prefix(2) + "(instancetype)" + text.dropFirst(6) : text
    }
  }

  var variables: [Variable] = []
  var properties: [Property] = []
  var constructors: [Method] = []
  var protocolMethods: [(name: String, methods: [Method])] = []
  var classMethods: [Method] = []
  var instanceMethods: [Method] = []
  var problems: [ObjCInterface.Problem] = []
  var forwardDeclarations: String?

  init(_ interface: ObjCInterface, dialect: EncodingDialect) {
    for variable in interface.instanceVariables {
      let (encoding, error) = TypeEncoding.lenient(variable.encoding, dialect: dialect)
      variables.append(Variable(name: variable.name, type: encoding.type, error: error))
      note(variable.name, error)
    }
    for property in interface.properties {
      let (value, error) = PropertyEncoding.lenient(
        attributes: property.attributes, name: property.name, dialect: dialect)
      properties.append(Property(value: value, error: error))
      note(property.name, error)
    }
    var methods = interface.methods.map { method in
      let (value, error) = MethodEncoding.lenient(types: method.types, selector: method.selector, dialect: dialect)
      return Method(selector: value.signedSelector, value: value, error: error)
    }
    for method in methods { note(method.selector, method.error) }
    let accessors = Set(properties.flatMap { $0.value.accessors })
    methods.removeAll { accessors.contains($0.selector) || $0.value.selector.hasPrefix(".cxx_") }
    sort(methods, interface)
    forwardDeclarations = referencedClasses(interface, methods)
  }

  private mutating func note(_ item: String, _ error: TypeEncodingError?) {
    if let error { problems.append(ObjCInterface.Problem(item: item, error: error)) }
  }

  /// Constructors, then each protocol's methods, then what is left of the class's and the instances'.
  private mutating func sort(_ methods: [Method], _ interface: ObjCInterface) {
    var rest = methods
    func take(_ belongs: (Method) -> Bool) -> [Method] {
      let taken = rest.filter(belongs)
      rest.removeAll(where: belongs)
      return taken
    }
    let adopted = interface.protocols.map { ($0.name, Set($0.selectors + (KnownProtocols.selectors[$0.name] ?? []))) }
    let byProtocol = adopted.map { name, selectors in (name, take { selectors.contains($0.selector) }) }
    protocolMethods = byProtocol.filter { !$0.1.isEmpty }.map { (name: $0.0, methods: $0.1) }
    constructors = take { $0.value.isFactory(of: interface.className) } + take { $0.value.isInitializer }
    classMethods = take { $0.value.isClassMethod }
    instanceMethods = rest
  }

  /// `@class A, B;` for the classes that are mentioned.
  private func referencedClasses(_ interface: ObjCInterface, _ methods: [Method]) -> String? {
    var names: Set<String> = []
    func collect(_ tree: EncodingTree) {
      for index in tree.nodes.indices where tree.nodes[index].flags.contains(.hasClass) {
        if let name = ObjectType(quoted: tree.className(of: index)).className { names.insert(name) }
      }
    }
    for variable in variables { collect(variable.type.tree) }
    for property in properties { collect(property.value.type.tree) }
    for method in methods { collect(method.value.tree) }
    names.remove(interface.className)
    if let superclass = interface.superclassName { names.remove(superclass) }
    // A Swift class has no name that Objective-C could declare.
    let declarable = names.filter { SwiftClassName.readable($0) == nil }.sorted()
    return declarable.isEmpty ? nil : "@class " + declarable.joined(separator: ", ") + ";"
  }
}

extension PropertyEncoding {
  /// The selectors of the getter and the setter, with sign.
  fileprivate var accessors: [String] {
    let sign = isClassProperty ? "+" : "-"
    return [sign + getterSelector] + (setterSelector.map { [sign + $0] } ?? [])
  }
}

extension MethodEncoding {
  fileprivate var signedSelector: String { (isClassMethod ? "+" : "-") + selector }

  private var returnsObject: Bool { result.type.node.kind == .object }

  /// `init`, `initWith…`: the word `init`, and not `initialize`.
  fileprivate var isInitializer: Bool {
    guard !isClassMethod, returnsObject, selector.hasPrefix("init") else { return false }
    let next = selector.dropFirst(4).unicodeScalars.first
    return next == nil || next == ":" || next?.properties.isUppercase == true
  }

  /// `+new`, and class methods that are named for the class without its prefix: `+timelineWithName:` of `ABTimeline`.
  fileprivate func isFactory(of className: String) -> Bool {
    guard isClassMethod, returnsObject else { return false }
    if selector == "new" || selector.hasPrefix("newWith") { return true }
    let label = selector.prefix { $0 != ":" }
    guard let with = label.firstWord, with.count > 2 else { return false }
    return className.lowercased().hasSuffix(with.lowercased())
  }
}

extension Substring {
  /// The letters before the first `With`, `From` or the end.
  fileprivate var firstWord: Substring? {
    for (index, letter) in zip(indices, self) where letter == "W" || letter == "F" {
      if self[index...].hasPrefix("With") || self[index...].hasPrefix("From") { return self[..<index] }
    }
    return self
  }
}

/// What Foundation's everyday protocols ask for.
private enum KnownProtocols {
  static let selectors: [String: [String]] = [
    "NSCopying": ["-copyWithZone:"],
    "NSMutableCopying": ["-mutableCopyWithZone:"],
    "NSCoding": ["-initWithCoder:", "-encodeWithCoder:"],
    "NSSecureCoding": ["-initWithCoder:", "-encodeWithCoder:", "+supportsSecureCoding"],
    "NSFastEnumeration": ["-countByEnumeratingWithState:objects:count:"],
    "NSLocking": ["-lock", "-unlock"],
    "NSObject": [
      "-isEqual:", "-hash", "-superclass", "-class", "-self", "-isProxy", "-isKindOfClass:", "-isMemberOfClass:",
      "-conformsToProtocol:", "-respondsToSelector:", "-description", "-debugDescription",
    ],
  ]
}
