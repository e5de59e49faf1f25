import Synchronization

/// Names that have been demangled before. A name costs a few µs the first time, and some 0.2 µs after that.
public final class FunctionNames: Sendable {
  /// The names of this process: stacks mention the same functions again and again.
  public static let shared = FunctionNames()

  /// So many names are kept, some 50 MB of very long ones; then all are forgotten, so that a program that symbolicates forever
  /// stays small.
  private static let limit = 65_536
  private let names = Mutex<[String: FunctionName]>([:])

  /// No names yet.
  public init() {}

  /// The forms of a symbol's name.
  public func name(of symbol: String) -> FunctionName {
    if let known = names.withLock({ $0[symbol] }) { return known }
    let name = FunctionName(symbol)
    names.withLock { names in
      if names.count >= Self.limit { names.removeAll() }
      names[symbol] = name
    }
    return name
  }
}
