// introspect memory PID: one reading of everything that the memory module knows of a process.

import MeasurementText
import ProcessMemory
import ToolSupport

/// The reading, as JSON has it. What could not be read is absent, and `problems` says why.
struct MemoryReading: Codable {
  var schema = "introspect.memory/1"
  var identity: ProcessIdentity
  var usage: MemoryUsage
  var footprintBytes: UInt64
  var details: DetailedMemoryUsage?
  var mappingCount: Int?
  var host: HostMemoryFacts
  var problems: [String]
}

enum MemoryCommand {
  private static let declarations = [
    OptionDeclaration("json", help: "as JSON, with every figure in bytes"),
    OptionDeclaration(
      "budget", value: "TIME",
      help: "hold up the process for this long at the most (20ms) to tell shared from private pages"),
    OptionDeclaration("help", letter: "h", help: "this text"),
  ]

  static func run(_ arguments: [String]) throws(ToolFailure) {
    let parsed = try parseOptions(arguments, declarations, of: "memory")
    if parsed.has("help") {
      Console.writeOutput("introspect memory [options] PID\n\n\(helpText(for: declarations))\n")
      return
    }
    guard parsed.operands.count == 1, let processID = Int32(parsed.operands[0]), processID > 0 else {
      throw ToolFailure(.usage, "introspect memory takes one process id; pidof NAME or pgrep NAME finds it")
    }
    let reading = try read(processID, budget: try budget(parsed))
    Console.writeOutput(parsed.has("json") ? try jsonText(reading) : text(reading))
  }

  private static func budget(_ parsed: ParsedOptions) throws(ToolFailure) -> Duration {
    guard let text = parsed.value(of: "budget") else { return DetailedMemoryUsage.defaultBudget }
    do throws(QuantityParseError) {
      return try DurationText.parse(text)
    } catch {
      throw ToolFailure(.usage, "--budget: \(error)")
    }
  }

  /// What everyone may read must be there; what is guarded or too costly becomes a problem that is told.
  private static func read(_ processID: Int32, budget: Duration) throws(ToolFailure) -> MemoryReading {
    var problems: [String] = []
    func attempt<Value>(_ body: () throws(ProcessMemoryError) -> Value) -> Value? {
      do throws(ProcessMemoryError) { return try body() } catch {
        problems.append(error.description)
        return nil
      }
    }
    do throws(ProcessMemoryError) {
      let usage = try MemoryUsage.of(processID)
      let identity = try ProcessIdentity.of(processID)
      let details = attempt { () throws(ProcessMemoryError) in
        try DetailedMemoryUsage.of(processID, budget: budget)
      }
      let map = attempt { () throws(ProcessMemoryError) in try MemoryMap.of(processID) }
      return MemoryReading(
        identity: identity, usage: usage, footprintBytes: usage.footprintBytes, details: details,
        mappingCount: map?.count, host: .read(for: processID), problems: problems)
    } catch {
      throw ToolFailure(processMemoryExitCode(error), error.description)
    }
  }

  // MARK: - Text

  private static func text(_ reading: MemoryReading) -> String {
    var rows: [(label: String, amount: String, note: String)] = usageRows(reading.usage)
    if let details = reading.details { rows += detailRows(details) }
    let width = rows.map(\.amount.count).max() ?? 0
    let table = rows.map { row in
      "  " + row.label + String(repeating: " ", count: 14 - row.label.count)
        + String(repeating: " ", count: width - row.amount.count) + row.amount
        + (row.note.isEmpty ? "" : "   " + row.note)
    }
    return ([headline(reading.identity)] + table + hostLines(reading) + reading.problems.map { "  not read: " + $0 })
      .joined(separator: "\n") + "\n"
  }

  private static func headline(_ identity: ProcessIdentity) -> String {
    var parts = ["\(LineText.bounded(identity.name)) (pid \(identity.processID))"]
    if let executable = identity.executable {
      parts.append(
        LineText.bounded(executable, limit: 400) + (identity.executableIsDeleted ? ", deleted or replaced since" : ""))
    }
    if let buildID = identity.buildID { parts.append("build-id \(buildID)") }
    return parts.joined(separator: "  ")
  }

  private static func usageRows(_ usage: MemoryUsage) -> [(label: String, amount: String, note: String)] {
    [
      (
        "footprint", ByteText.format(usage.footprintBytes),
        "anonymous \(ByteText.format(usage.anonymousBytes)) + shared \(ByteText.format(usage.sharedBytes))"
          + " + swapped \(ByteText.format(usage.swappedBytes))"
          + (usage.division == .estimated ? " (estimated: this kernel does not count them)" : "")
      ),
      (
        "resident", ByteText.format(usage.residentBytes),
        "of it file pages \(ByteText.format(usage.fileBytes))"
          + (usage.peakResidentBytes.map { ", at its peak \(ByteText.format($0))" } ?? "")
      ),
      ("virtual", ByteText.format(usage.virtualBytes), "address space, most of it without memory behind it"),
    ]
  }

  private static func detailRows(_ details: DetailedMemoryUsage) -> [(label: String, amount: String, note: String)] {
    [
      (
        "proportional", ByteText.format(details.proportionalBytes),
        "each shared page divided by the processes that map it"
      ),
      (
        "unique", ByteText.format(details.uniqueBytes),
        "no other process maps these; written \(ByteText.format(details.privateDirtyBytes))"
      ),
      (
        "given up", ByteText.format(details.lazyFreeBytes),
        "resident until the kernel wants it (MADV_FREE); huge pages \(ByteText.format(details.anonymousHugePageBytes))"
      ),
    ]
  }

  private static func hostLines(_ reading: MemoryReading) -> [String] {
    let usage = reading.usage
    let host = reading.host
    var process = "  threads \(usage.threadCount), page faults \(NumberText.grouped(usage.minorFaults)) minor"
    process += " and \(NumberText.grouped(usage.majorFaults)) major"
    if let count = reading.mappingCount { process += ", mappings \(NumberText.grouped(count))" }
    var machine: [String] = []
    if let total = host.totalBytes { machine.append(ByteText.format(total)) }
    if let available = host.availableBytes { machine.append("\(ByteText.format(available)) available") }
    if let count = host.processorCount { machine.append("\(count) processors") }
    if let release = host.kernelRelease { machine.append("kernel \(release)") }
    machine.append("pages of \(ByteText.format(host.pageSize))")
    if let setting = host.transparentHugePages { machine.append("huge pages: \(setting)") }
    var lines = [process, "  machine: " + machine.joined(separator: ", ")]
    if let group = host.controlGroup {
      let limit = group.limitBytes.map { "limit \(ByteText.format($0))" } ?? "no limit"
      let used = group.usageBytes.map { ", \(ByteText.format($0)) used" } ?? ""
      lines.append("  control group (v\(group.version)): \(limit)\(used)")
    }
    return lines
  }
}
