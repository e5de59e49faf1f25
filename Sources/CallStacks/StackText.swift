import MeasurementText

/// How stacks are written: one frame a line, aligned, the innermost first.
public struct StackText: Sendable {
  /// How much of a frame is written.
  public enum Detail: Sendable {
    /// The function as one would say it, the file's name and the line; runs of frames of the runtime, executors and thunks as a count.
    case short
    /// Every frame, with its address, modules and types, and whole paths.
    case full
  }

  /// How much of a frame is written.
  public var detail: Detail
  /// The longest function that is written, in characters.
  public var functionLimit: Int

  /// How stacks are written.
  public init(_ detail: Detail = .short, functionLimit: Int? = nil) {
    self.detail = detail
    self.functionLimit = functionLimit ?? (detail == .short ? 72 : 400)
  }

  /// The frames, a line each, each ended by a newline.
  public func render(_ stack: SymbolicatedStack) -> String {
    let rows = rows(of: stack.frames)
    // One long name does not push all others' places away.
    let width = min(rows.map { $0.function.count }.max() ?? 0, 48)
    let markWidth = rows.map { $0.marks.count }.max() ?? 0
    var text = ""
    for row in rows {
      var line = row.number.isEmpty ? "      " : Self.right(row.number, 4) + "  "
      line += Self.left(row.function, width)
      if markWidth > 0 { line += "  " + Self.left(row.marks, markWidth) }
      line += "  " + row.place
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text + ending(stack)
  }

  private struct Row {
    var number: String
    var function: String
    var marks = ""
    var place = ""
  }

  private func rows(of frames: [StackFrame]) -> [Row] {
    var rows: [Row] = []
    var index = 0
    while index < frames.count {
      let run = detail == .short && index > 0 ? Self.foldable(frames[index...]) : 0
      if run > 1 {
        rows.append(Row(number: "", function: "… \(run) frames of the runtime"))
        index += run
      } else {
        rows.append(row(index, frames[index]))
        index += 1
      }
    }
    return rows
  }

  /// How many frames from here on no one asks for: the runtime's, the executor's and the compiler's.
  private static func foldable(_ frames: ArraySlice<StackFrame>) -> Int { frames.prefix { $0.kind != .function }.count }

  private func row(_ index: Int, _ frame: StackFrame) -> Row {
    var marks: [String] = []
    if frame.isInlined { marks.append("inlined") }
    if frame.isAwaiting { marks.append("awaits") } else if frame.isAsync { marks.append("async") }
    if frame.kind == .thunk { marks.append("thunk") }
    if frame.isGuessed { marks.append("guessed") }
    let name = (detail == .short ? frame.function : frame.fullFunction) ?? frame.placeInModule
    return Row(
      number: String(index), function: LineText.bounded(name, limit: functionLimit),
      marks: marks.joined(separator: ", "),
      place: LineText.bounded(place(frame), limit: 400))
  }

  private func place(_ frame: StackFrame) -> String {
    let line = frame.line.map { ":\($0)" } ?? ""
    guard detail == .full else {
      if let file = frame.file { return (file.split(separator: "/").last.map(String.init) ?? file) + line }
      return frame.function == nil ? "" : frame.module ?? ""
    }
    let address = "0x" + String(frame.address, radix: 16)
    return [frame.file.map { $0 + line }, frame.placeInModule, address].compactMap(\.self).joined(separator: "  ")
  }

  private func ending(_ stack: SymbolicatedStack) -> String {
    switch stack.end {
    case .complete: ""
    case .limit: "      … more frames\n"
    case .broken: "      … the rest could not be unwound\n"
    }
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension SymbolicatedStack: CustomStringConvertible {
  /// The short form: a line for each frame.
  public var description: String { StackText().render(self) }
}
