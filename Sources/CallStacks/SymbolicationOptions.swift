/// How much to find out about the frames of a stack.
public struct SymbolicationOptions: Sendable {
  /// Whether to look for files, lines and inlined functions. They need debug information, and reading that of a large program
  /// takes a while.
  public var includesLines: Bool
  /// How long to look for them, all frames of all stacks of a call together. What is not found by then stays without a line: names
  /// are always there. The default is what someone at a terminal does not notice.
  public var lineBudget: Duration

  /// How much to find out.
  public init(includesLines: Bool = true, lineBudget: Duration = .milliseconds(500)) {
    (self.includesLines, self.lineBudget) = (includesLines, lineBudget)
  }
}
