/// The name of a function in the forms a stack shows it.
public struct FunctionName: Hashable, Sendable {
  /// What a frame of it is to a reader.
  public enum Role: String, Sendable, Codable {
    /// Code that someone wrote.
    case function
    /// A piece that the compiler made to fit one convention to another: reabstraction thunks, partial applications,
    /// protocol witnesses.
    case thunk
    /// The Swift runtime, the executor below a task, dispatch, and what starts a thread.
    case runtime
  }

  /// The symbol, mangled.
  public let symbol: String
  /// Everything the demangler says: `shop.Parser.scan(Swift.Int) -> Swift.Int`. The symbol where it does not demangle.
  public let full: String
  /// Without modules: `Parser.scan(Int) -> Int`.
  public let simplified: String
  /// Without modules, types and what the compiler did to it: `Parser.scan(_:)`.
  public let short: String
  /// What a frame of it is to a reader.
  public let role: Role

  /// The forms of a symbol's name. Costs a demangling, a few µs: ``FunctionNames`` keeps them.
  public init(_ symbol: String) {
    self.symbol = symbol
    let language = Demangler.language(of: symbol)
    full = Demangler.readable(symbol)
    simplified = language == .swift ? ModuleNames.removed(from: full) : full
    switch language {
    case .swift: short = ShortName.ofSwift(simplified)
    case .cxx: short = ShortName.ofCxx(full)
    case nil: short = ShortName.ofC(symbol)
    }
    role = Self.role(of: symbol, full: full, short: short)
  }

  private static let thunkPhrases = [
    "reabstraction thunk", "partial apply ", "protocol witness for ", "dispatch thunk of ", "vtable thunk for ",
    "curry thunk of ", "back deployment thunk for ", "distributed thunk ",
    "dynamically replaceable thunk for ", "key path getter for ", "key path setter for ",
  ]

  /// Below every thread and every task, whatever the program does.
  private static let startFunctions: Set<String> = [
    "_start", "__libc_start_main", "__libc_start_main_impl", "__libc_start_call_main", "start_thread", "clone",
    "clone3",
    "__clone", "__clone3",
  ]

  private static let runtimePrefixes = ["swift_", "_swift_", "_dispatch_", "dispatch_", "async_Main"]

  private static func role(of symbol: String, full: String, short: String) -> Role {
    if startFunctions.contains(short) { return .runtime }
    if full != symbol {
      let text = ShortName.withoutCompilersWork(full)
      if thunkPhrases.contains(where: { text.hasPrefix($0) }) { return .thunk }
    }
    if runtimePrefixes.contains(where: { symbol.hasPrefix($0) }) { return .runtime }
    if symbol.hasPrefix("_Z"), full.contains("swift::") { return .runtime }
    return .function
  }
}
