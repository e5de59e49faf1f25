// Floor 4, text: a deconstruction as people read it.
import MeasurementText

extension Deconstruction: CustomStringConvertible, TextOutputStreamable {
  /// Writes ``description`` and a line feed to a stream, a long one in pieces.
  public func write<Stream: TextOutputStream>(to stream: inout Stream) {
    if options.format == .indented { return writeIndented(to: &stream, usesColour: options.colour == .always) }
    let text = description
    stream.write(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// The text, as the options say: indented lines, one line, or JSON; in colours only where the options say `always`.
  public var description: String { text(usesColour: options.colour == .always) }

  /// Indented lines: a line for each part, then memory and cycles.
  public var indented: String { indented(usesColour: options.colour == .always) }

  /// Everything on one line, without memory and cycles.
  public var oneLine: String {
    var writer = TreeWriter(self, usesColour: options.colour == .always)
    if let label = options.label { writer.output.append(text: label + ": ") }
    if !nodes.isEmpty { writer.writeInline(0, nodes.count, showsType: true) }
    return writer.output.string
  }

  func text(usesColour: Bool) -> String {
    switch options.format {
    case .indented: indented(usesColour: usesColour)
    case .oneLine: oneLine
    case .json: json
    }
  }

  private func indented(usesColour: Bool) -> String {
    var text = ""
    writeIndented(to: &text, usesColour: usesColour)
    return text
  }

  private func writeIndented<Stream: TextOutputStream>(to stream: inout Stream, usesColour: Bool) {
    var writer = TreeWriter(self, usesColour: usesColour)
    for declaration in declarations {
      writer.output.append(text: declaration.hasSuffix("\n") ? declaration : declaration + "\n")
      writer.output.append("\n")
    }
    writer.writeNodes(to: &stream)
    writer.writeSummary(summary, cycles)
    writer.flush(to: &stream)
  }

  /// A value on one line, for places such as the key of a dictionary.
  static func brief(_ value: Any) -> String {
    var options = DeconstructionOptions()
    options.nodeLimit = 50
    options.depthLimit = 4
    options.childLimit = 8
    options.colour = .never
    return Deconstruction(of: value, options: options).oneLine
  }
}

extension TreeWriter {
  /// Writes what was reached, and each cycle.
  mutating func writeSummary(_ summary: Deconstruction.Summary, _ cycles: [Deconstruction.Cycle]) {
    // Of plain values there is nothing to add up that their lines have not said.
    guard summary.objectCount > 0 || options.showsSizes && summary.allocationCount > 0 else { return }
    output.append("\n")
    if summary.objectCount > 0 { output.append(text: counted(summary.objectCount, "object") + ", ") }
    output.append(text: counted(summary.allocationCount, "allocation") + ", ")
    output.append(text: ByteText.format(summary.allocatedBytes) + "\n")
    let order = cycles.filter(\.isRetainCycle) + cycles.filter { !$0.isRetainCycle }
    for cycle in order.prefix(options.childLimit) { writeCycle(cycle) }
    let unlisted =
      max(0, order.count - options.childLimit) + summary.unlistedRetainCycles + summary.unlistedCycles
    if unlisted > 0 { output.append(text: "… \(NumberText.grouped(unlisted)) more cycles\n") }
  }

  private mutating func writeCycle(_ cycle: Deconstruction.Cycle) {
    let times = cycle.count > 1 ? "   (\(NumberText.grouped(cycle.count)) times)" : ""
    if cycle.isRetainCycle {
      writeStyled(.cycle) { $0.append("retain cycle: ") }
      output.append(text: cycle.path + times + "   every reference is strong: this keeps itself alive\n")
    } else {
      output.append(text: "cycle broken by \(cycle.closedBy.rawValue): \(cycle.path)\(times)\n")
    }
  }
}
