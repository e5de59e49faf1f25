extension TimingReport {
  /// The tree as collapsed stacks, the input of flame graphs (`flamegraph.pl --countname ns`, inferno, speedscope): a line
  /// for each place, its names from the top joined by semicolons, and the nanoseconds that were spent in it and in none
  /// below. Lines are sorted; places without time of their own have none, and nothing measured is an empty text.
  public var collapsedStacks: String {
    var sums: [String: Int64] = [:]
    func visit(_ node: Node, below prefix: String) {
      let stack = prefix + CollapsedName.of(node.name)
      let nanoseconds = Nanoseconds.of(node.selfTime)
      if nanoseconds > 0 { sums[stack] = Nanoseconds.adding(sums[stack] ?? 0, nanoseconds) }
      for child in node.children { visit(child, below: stack + ";") }
    }
    for root in roots { visit(root, below: "") }
    return sums.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
  }
}

/// A name as a frame of a collapsed stack, in which semicolons and line ends mean something.
private enum CollapsedName {
  static func of(_ name: String) -> String {
    var frame = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case ";": frame += ":"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: frame += " "
      default: frame.unicodeScalars.append(scalar)
      }
    }
    while frame.last == " " { frame.removeLast() }
    if frame.isEmpty { frame = "(no name)" }
    return withoutTrailingNumber(frame)
  }

  /// "worker 3" as the last frame would leave two numbers at the end of the line, which flamegraph.pl takes for a
  /// comparison of two profiles. Changed wherever it stands, or the same name would be two frames.
  private static func withoutTrailingNumber(_ frame: String) -> String {
    guard let space = frame.lastIndex(of: " ") else { return frame }
    let word = frame[frame.index(after: space)...]
    guard word.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) else { return frame }
    return frame[..<space] + "-" + word
  }
}
