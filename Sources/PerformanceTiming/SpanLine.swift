import MeasurementText

extension TimerCore {
  /// Prints the line of a finished span: its name and what it took, two spaces further in for each span around it.
  @inline(never)
  func printLine(_ timing: SpanTiming, path: Int32) {
    let tables = paths.snapshot
    guard tables.paths.indices.contains(Int(path)) else { return }
    let depth = Int(tables.paths[Int(path)].depth)
    var line = options.linePrefix + String(repeating: "  ", count: max(depth - 1, 0))
    line += LineText.of(tables.name(ofPath: path)) + "  " + DurationText.format(timing.wall)
    if let cpu = timing.threadCPU { line += "  cpu(thread) " + DurationText.format(cpu) }
    if let cpu = timing.processCPU { line += "  cpu(process) " + DurationText.format(cpu) }
    options.write(line + "\n")
  }
}

/// Names in lines of text: a name may hold anything, and takes one line of a bounded length.
enum LineText {
  static func of(_ name: String, limit: Int = 60) -> String {
    var plain = ""
    for (index, scalar) in name.unicodeScalars.enumerated() {
      if index == limit { return plain + "…" }
      plain.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "?" : scalar)
    }
    return plain
  }
}
