import MeasurementText

extension TimerCore {
  /// Prints the line of a finished span: its name and what it took, two spaces further in for each span around it.
  @inline(never)
  func printLine(_ timing: SpanTiming, path: Int32) {
    let tables = paths.snapshot
    guard tables.paths.indices.contains(Int(path)) else { return }
    let depth = Int(tables.paths[Int(path)].depth)
    var line = options.linePrefix + String(repeating: "  ", count: max(depth - 1, 0))
    line += LineText.bounded(tables.name(ofPath: path)) + "  " + DurationText.format(timing.wall)
    if let cpu = timing.threadCPU { line += "  cpu(thread) " + DurationText.format(cpu) }
    if let cpu = timing.processCPU { line += "  cpu(process) " + DurationText.format(cpu) }
    options.write(line + "\n")
  }
}
