/// A member of a type that has code: a method, an initializer, a computed property.
public struct InterfaceMember: Codable, Hashable, Sendable {
  /// What it is.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    case property, `subscript`, initializer, method, `operator`, deinitializer
  }

  /// A parameter.
  public struct Parameter: Codable, Hashable, Sendable {
    /// The label; `nil` where it has none.
    public var label: String?
    /// The type, with what stands before it: `inout Int`.
    public var type: String
  }

  /// What it is.
  public var kind: Kind
  /// Its name: `total`; `init`, `subscript` and `deinit` are theirs.
  public var name: String
  /// Whether it belongs to the type and not to its values.
  public var isStatic = false
  /// Whether it is `private` or `fileprivate`; the two look the same. Other levels leave no trace.
  public var isPrivate = false
  /// Whether it overrides one of a superclass; `false` where the class does not say.
  public var isOverride = false
  /// Whether a subclass may override it; `false` where the class does not say.
  public var isOverridable = false
  /// Where an operator stands: `prefix`, `postfix`, `infix`.
  public var fixity: String?
  /// Its own generic parameters.
  public var genericParameters: [String] = []
  /// What is asked of them, and of those of the type.
  public var constraints: [String] = []
  /// The parameters of what can be called.
  public var parameters: [Parameter] = []
  /// Whether it is asynchronous.
  public var isAsync = false
  /// What it throws: `any Error`, or a type; `nil` where it throws nothing.
  public var thrown: String?
  /// The type of a property or subscript, the result of a method; `nil` for `Void`.
  public var type: String?
  /// The accessors that exist, of a property or subscript: `get`, `set`, `_modify`.
  public var accessors: [String] = []
  /// The symbols it was known by.
  public var symbols: [String] = []

  /// The declaration without a body: `func total(of: String, rate: Double) async throws -> Decimal`.
  public var declaration: String {
    modifiers + head + suffix
  }

  /// Whether the initializer may give `nil`.
  var isFailable: Bool { kind == .initializer && type?.hasSuffix("?") ?? false }

  private var modifiers: String {
    var words: [String] = []
    if isPrivate { words.append("private") }
    if isOverride { words.append("override") }
    if isStatic { words.append(isOverridable || isOverride ? "class" : "static") }
    if let fixity, fixity != "infix" { words.append(fixity) }
    return words.map { $0 + " " }.joined()
  }

  private var head: String {
    let clause = genericParameters.isEmpty ? "" : "<" + genericParameters.joined(separator: ", ") + ">"
    switch kind {
    case .property: return "var \(SourceName.quoted(name)): \(type ?? "Any")"
    case .subscript: return "subscript\(clause)\(parameterList)"
    case .initializer: return "init\(isFailable ? "?" : "")\(clause)\(parameterList)"
    case .deinitializer: return "deinit"
    case .operator: return "func \(name) \(clause)\(parameterList)"
    case .method: return "func \(SourceName.quoted(name))\(clause)\(parameterList)"
    }
  }

  private var parameterList: String {
    let list = parameters.map { parameter in
      let label = SourceName.label(parameter.label)
      // A subscript's parameter has a label only where it is written twice.
      return (kind == .subscript && parameter.label != nil ? "\(label) " : "") + "\(label): \(parameter.type)"
    }
    return "(" + list.joined(separator: ", ") + ")"
  }

  private var suffix: String {
    let clause = constraints.isEmpty ? "" : " where " + constraints.joined(separator: ", ")
    var effects = isAsync ? " async" : ""
    if let thrown { effects += thrown == "any Error" ? " throws" : " throws(\(thrown))" }
    switch kind {
    case .property: return " { " + accessorList + " }"
    case .subscript: return " -> \(type ?? "Void")\(clause) { " + accessorList + " }"
    case .initializer: return effects + clause
    case .deinitializer: return ""
    case .method, .operator: return effects + (type.map { " -> " + $0 } ?? "") + clause
    }
  }

  private var accessorList: String {
    // What can be set can be got, even where no symbol of its own is left of that.
    let known =
      ["get", "_read", "read", "unsafeAddress"].contains { accessors.contains($0) } ? accessors : ["get"] + accessors
    return known.map { $0 == "get" && isAsync ? "get async" : $0 }.joined(separator: " ")
  }
}
