// introspect interface FILE|PID [TYPE…]: the declarations of a program's types.

import FoundationEssentials
import HeapInspection
import ProcessMemory
import Symbolication
import ToolSupport
import TypeInterfaces

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

enum InterfaceCommand {
  private static let declarations = [
    OptionDeclaration("list", letter: "l", help: "only the names of the types, with what kind they are"),
    OptionDeclaration("conformances", help: "only what conforms to what, a line each"),
    OptionDeclaration("filter", value: "PATTERN", help: "only types that match: a part of the name, or Shop.*"),
    OptionDeclaration("module", value: "NAME", help: "only types that this module declares"),
    OptionDeclaration("offsets", help: "with the offsets and sizes of stored properties"),
    OptionDeclaration("local", help: "with closures and functions within members"),
    OptionDeclaration("json", help: "as JSON, one object a line"),
    OptionDeclaration("help", letter: "h", help: "this text"),
  ]

  private static let help = """
    introspect interface [options] FILE|PID [TYPE...]

    The declarations of the Swift types of an executable or a library, or of a running process: the program itself, and
    its libraries where a TYPE is not in it. TYPE is a name as in the source: Order, Shop.Order, Order.Status.
    What the program does not tell is said above each type.

    """

  /// What was asked for.
  private struct Request {
    var target: String
    var names: [String]
    var filter: TypePattern?
    var module: String?
    var form: Form
    var options = InterfaceOptions()
    var text = InterfaceTextOptions()

    enum Form { case source, json, list, conformances }

    func selects(_ type: ListedType) -> Bool {
      module.map { $0 == type.module } ?? true && filter?.matches(type.qualifiedName) ?? true
    }
  }

  static func run(_ arguments: [String]) throws(ToolFailure) {
    let parsed = try parseOptions(arguments, declarations, of: "interface")
    if parsed.has("help") {
      Console.writeOutput(help + "\n" + helpText(for: declarations) + "\n")
      return
    }
    let request = try request(parsed)
    let sources = InterfaceTarget(try target(request.target))
    if request.names.isEmpty {
      try showAll(sources, request)
    } else {
      try showNamed(sources, request)
    }
  }

  private static func request(_ parsed: ParsedOptions) throws(ToolFailure) -> Request {
    guard let target = parsed.operands.first else {
      throw ToolFailure(.usage, "introspect interface takes a file or a process id, and names of types after it")
    }
    let forms: [(String, Request.Form)] = [("list", .list), ("conformances", .conformances), ("json", .json)]
    let asked = forms.filter { parsed.has($0.0) }
    guard asked.count <= 1 else {
      throw ToolFailure(.usage, "--\(asked[0].0) and --\(asked[1].0) exclude each other")
    }
    var request = Request(
      target: target, names: Array(parsed.operands.dropFirst()),
      filter: parsed.value(of: "filter").map(TypePattern.init), module: parsed.value(of: "module"),
      form: asked.first?.1 ?? .source)
    request.options.includesLocalFunctions = parsed.has("local")
    request.text.showsOffsets = parsed.has("offsets")
    return request
  }

  /// A number is a process, unless there is a file of that name.
  private static func target(_ text: String) throws(ToolFailure) -> InterfaceTarget.Place {
    guard let processID = Int32(text), processID > 0, access(text, F_OK) != 0 else { return .file(text) }
    return .process(processID)
  }

  // MARK: - All types, or some by name

  private static func showAll(_ sources: InterfaceTarget, _ request: Request) throws(ToolFailure) {
    let source = try sources.main()
    let types = source.types.filter(request.selects)
    guard !types.isEmpty else {
      throw ToolFailure(
        .failure, "none of the \(source.types.count) types of \(source.path) is selected; --list shows them")
    }
    for type in types { try show(type, source, request) }
  }

  private static func showNamed(_ sources: InterfaceTarget, _ request: Request) throws(ToolFailure) {
    var missing: [String] = []
    for name in request.names {
      guard let (types, source) = try sources.types(named: name, request.selects) else {
        missing.append(name)
        continue
      }
      for type in types { try show(type, source, request) }
    }
    guard let first = missing.first else { return }
    let near = sources.nearest(to: first)
    throw ToolFailure(
      .failure,
      "no type '\(first)' there"
        + (near.isEmpty ? "; --list shows all" : "; the nearest are \(near.joined(separator: ", "))"))
  }

  private static func show(_ type: ListedType, _ source: InterfaceSource, _ request: Request) throws(ToolFailure) {
    guard request.form != .list else {
      Console.writeOutput("\(type.kind.rawValue) \(type.qualifiedName)\n")
      return
    }
    let interface = source.interface(of: type, options: request.options)
    switch request.form {
    case .source, .list: Console.writeOutput(interface.text(request.text) + "\n")
    case .json: Console.writeOutput(try jsonText(interface, isOneLine: true, keys: .convertToSnakeCase))
    case .conformances: Console.writeOutput(conformances(interface))
    }
  }

  private static func conformances(_ interface: TypeInterface) -> String {
    interface.conformances.map { conformance in
      "\(interface.qualifiedName): \(conformance.module).\(conformance.name)"
        + (conformance.constraints.isEmpty ? "" : " where " + conformance.constraints.joined(separator: ", ")) + "\n"
    }.joined()
  }

}
