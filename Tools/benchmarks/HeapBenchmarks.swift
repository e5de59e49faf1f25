// The cost of a census: against a bare copy of the same memory, in memory of its own, and to the process it looks at.

import BenchmarkFloors
import Glibc
import HeapInspection
import MeasurementText
import ProcessMemory

enum HeapBenchmarks {
  static func run(_ arguments: [String]) {
    censusAgainstCopy()
    toolMemory()
    slowDown(rounds: arguments.first.flatMap { Int($0) } ?? 5)
  }

  /// A census of 10⁶ objects against `process_vm_readv` of the heap they are in.
  private static func censusAgainstCopy() {
    // 56 bytes each, header and place in the array included.
    guard let program = LaunchedProgram("scenario", ["populate", "--size", "56000000"]), program.readLine() != nil
    else {
      return
    }
    usleep(500_000)
    guard let inspector = try? HeapInspector(program.processID),
      let census = try? inspector.snapshot().census, let map = try? MemoryMap.of(program.processID),
      let heap = map.first(where: { $0.name == "[heap]" })
    else { return print("  the heap of process \(program.processID) cannot be read") }
    let (ours, floor, ratio) = PairedTiming.run(rounds: 15) {
      _ = try? inspector.snapshot()
    } against: {
      _ = floor_copy_memory(program.processID, UInt(heap.startAddress), Int(heap.byteCount))
    }
    let objects = census.types.first { $0.type == "scenario.Entry" }?.instances ?? 0
    print(
      "  \(NumberText.grouped(objects)) objects in \(ByteText.format(heap.byteCount)):"
        + " census \(DurationText.format(seconds: ours)), bare copy \(DurationText.format(seconds: floor))")
    printFigure("a census of 10⁶ objects", ours, limit: 0.5, unit: "s", decimals: 3)
    printFigure("against a bare copy", ratio, limit: 6, unit: "x")
  }

  /// The largest that `introspect heap` becomes, over the arena that it reads.
  private static func toolMemory() {
    for size in ["56MB", "2GiB"] {
      guard let program = LaunchedProgram("scenario", ["populate", "--size", size]), program.readLine() != nil else {
        return
      }
      while (try? MemoryUsage.of(program.processID).residentBytes) ?? 0 == 0 { usleep(10_000) }
      waitUntilStill(program.processID)
      guard let tool = LaunchedProgram("introspect", ["heap", "\(program.processID)"]) else { return }
      let start = PairedTiming.now()
      let usage = tool.finish()
      let seconds = PairedTiming.now() - start
      let arena = (try? MemoryMap.of(program.processID))?.first { $0.name == "[heap]" }?.byteCount ?? 0
      let resident = Double(usage.ru_maxrss) * 1024
      print(
        // The kernel counts what this program had when it started the other one.
        "  introspect heap of an arena of \(ByteText.format(arena)): at most \(ByteText.format(resident)) resident,"
          + " \(DurationText.format(seconds: seconds)) from start to end")
      printFigure("its memory over the arena's", resident / Double(arena), limit: 1.5, unit: "x", decimals: 3)
    }
  }

  private static func waitUntilStill(_ processID: pid_t) {
    var last: UInt64 = 0
    for _ in 0..<200 {
      usleep(200_000)
      let now = (try? MemoryUsage.of(processID).residentBytes) ?? 0
      if now == last { return }
      last = now
    }
  }

  /// Requests answered by `scenario busy` with a census every second, and without, in turn. One thread works and one core is
  /// left for the census: what is measured is what reading costs the process, and not what sharing a core does.
  private static func slowDown(rounds: Int) {
    func requests(withCensus: Bool) -> Double? {
      guard let program = LaunchedProgram("scenario", ["busy", "--threads", "1", "--duration", "5s"]) else {
        return nil
      }
      var tool: LaunchedProgram?
      if withCensus {
        tool = LaunchedProgram("introspect", ["heap", "\(program.processID)", "--every", "1s", "--count", "5"])
      }
      var count: Double?
      while let line = program.readLine() {
        if line.hasPrefix("requests ") { count = Double(line.dropFirst("requests ".count)) }
      }
      withExtendedLifetime(tool) {}
      return count
    }
    var ratios: [Double] = []
    for _ in 0..<rounds {
      guard let alone = requests(withCensus: false), let watched = requests(withCensus: true), alone > 0 else { return }
      ratios.append(1 - watched / alone)
    }
    print("  rounds: " + ratios.map { NumberText.fixed($0 * 100, decimals: 2) + " %" }.joined(separator: ", "))
    printFigure(
      "slow-down of a busy process, a census each second", PairedTiming.median(ratios) * 100, limit: 2, unit: "%")
  }
}
