// How fast values are taken apart, against the standard library's dump of the same values.
import Deconstructor
import Glibc
import MeasurementText
import ProcessMemory
import SwiftMetadata

private struct Reading {
  var id: Int
  var name: String
  var value: Double
  var isValid: Bool
  var channel: UInt8
}

private struct Place {
  var x: Double
  var y: Double
}

private final class Shipment {
  let id: Int
  var title: String
  var tags: [String]
  var weights: [Int]
  var place: Place
  init(_ id: Int) {
    self.id = id
    title = "shipment number \(id)"
    tags = ["tag \(id % 7)", "a tag that is long enough for the heap \(id)"]
    weights = [id, id &* 2, id &* 3]
    place = Place(x: Double(id) / 7, y: Double(id) * 0.5)
  }
}

private final class Node {
  let value: Int
  var next: Node?
  init(_ value: Int, _ next: Node?) {
    self.value = value
    self.next = next
  }
}

/// `benchmarks deconstruct`
enum DeconstructBenchmarks {
  /// A stream that counts what it is given.
  private struct Sink: TextOutputStream {
    var count = 0
    mutating func write(_ string: String) { count += string.utf8.count }
  }

  static func run(arguments: [String]) {
    print("one thread, text into a sink; peer: dump of the same value, in turn, medians of 3 rounds")
    compare("100 000 structs of five fields", structs())
    compare("20 000 objects with strings, arrays, a struct", (0..<20_000).map(Shipment.init))
    fieldRead()
    linkedList()
  }

  private static func structs() -> [Reading] {
    (0..<100_000).map {
      Reading(
        id: $0, name: "sensor \($0 % 100)", value: Double($0) * 0.1, isValid: $0 % 3 == 0, channel: UInt8($0 % 200))
    }
  }

  private static func compare<Value>(_ name: String, _ value: Value) {
    var ours = Sink()
    var theirs = Sink()
    let times = PairedTiming.run(rounds: 3) {
      ours = Sink()
      deconstruct(value, to: &ours, options: .unlimited)
    } against: {
      theirs = Sink()
      dump(value, to: &theirs)
    }
    print(
      "  \(name): \(DurationText.format(seconds: times.0)) for \(ByteText.format(ours.count)) of text,"
        + " dump \(DurationText.format(seconds: times.1)) for \(ByteText.format(theirs.count))")
    printFigure("time, as a share of dump's", times.ratio, limit: 0.1, unit: "", decimals: 3)
  }

  // MARK: One field

  private static func fieldRead() {
    let reading = Reading(id: 1, name: "n", value: 2, isValid: true, channel: 3)
    guard case .structure(let fields) = TypePlan.of(Reading.self).shape else { return }
    let count = 200_000
    var found = 0
    let times = PairedTiming.run(rounds: 5) {
      withUnsafePointer(to: reading) { pointer in
        for _ in 0..<count {
          for field in fields where field.value(in: UnsafeRawPointer(pointer)) != nil { found &+= 1 }
        }
      }
    } against: {
      for _ in 0..<count / 10 { for _ in Mirror(reflecting: reading).children { found &+= 1 } }
    }
    let reads = Double(count * fields.count)
    let mirrored = times.1 / (reads / 10)
    printFigure("reading a field through its plan, as Any", times.0 / reads * 1e9, limit: 100, unit: "ns", decimals: 1)
    print("    through a mirror \(NumberText.fixed(mirrored * 1e9, decimals: 0)) ns")
  }

  // MARK: A long list

  private static func linkedList() {
    var perNode: [Double] = []
    for count in [100_000, 1_000_000] {
      var head: Node?
      for value in 0..<count { head = Node(value, head) }
      let list = head
      // What earlier rounds have freed would hide what the walk takes.
      _ = try? AllocatorStatistics.releaseFreeMemory()
      let before = residentBytes()
      resetPeak()
      var result: Deconstruction?
      let walk = PairedTiming.time { result = Deconstruction(of: list, options: .unlimited) }
      let peak = peakBytes()
      var length = 0
      let text = PairedTiming.time {
        var sink = Sink()
        result?.write(to: &sink)
        length = sink.count
      }
      perNode.append((walk + text) / Double(count))
      print(
        "  list of \(NumberText.grouped(count)) nodes: walk \(DurationText.format(seconds: walk)),"
          + " text \(DurationText.format(seconds: text)), \(NumberText.fixed(Double(length) / Double(count), decimals: 1)) bytes of text a node"
      )
      // The pages of the program itself weigh too much in a short list.
      if count == 1_000_000 {
        printFigure(
          "memory of the walk at its peak", (peak - before) / Double(count), limit: 200, unit: "bytes a node",
          decimals: 0)
      }
      // Node by node: the runtime frees a list recursively.
      while let node = head {
        head = node.next
        if head != nil { node.next = nil }
      }
    }
    printFigure("time a node, ten times as long against one", perNode[1] / perNode[0], limit: 1.5, unit: "x")
  }

  private static func resetPeak() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  private static func residentBytes() -> Double {
    (try? MemoryUsage.current()).map { Double($0.residentBytes) } ?? .nan
  }

  private static func peakBytes() -> Double {
    (try? MemoryUsage.current())?.peakResidentBytes.map { Double($0) } ?? .nan
  }
}
