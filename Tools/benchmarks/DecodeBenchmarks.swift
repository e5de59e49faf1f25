// How fast encodings are decoded, how often that allocates, and that it is linear.
import CAllocationCounter
import Glibc
import MeasurementText
import TypeEncodings

/// `benchmarks decode [ENCODINGS.TSV]`: the corpus of the tests by default.
enum DecodeBenchmarks {
  /// A string to decode, with what it is and the name it needs.
  struct Item {
    var kind: Substring
    var text: String
    var name: String
    var dialect: EncodingDialect

    /// Takes the string apart and writes its declaration.
    func decode() -> Int {
      switch kind {
      case "method":
        (try? MethodEncoding(types: text, selector: name, dialect: dialect))?.declaration().utf8.count ?? 0
      case "property":
        (try? PropertyEncoding(attributes: text, name: name, dialect: dialect))?.declaration().utf8.count ?? 0
      case "block": (try? BlockSignature(text, dialect: dialect))?.declaration().utf8.count ?? 0
      case "ivar": (try? TypeEncoding(text, dialect: dialect))?.declaration(named: name).utf8.count ?? 0
      default: (try? TypeEncoding(text, dialect: dialect))?.declaration().utf8.count ?? 0
      }
    }

    /// The same with memory that is used again.
    func decode(_ decoder: inout BulkDecoder) -> Int {
      decoder.dialect = dialect
      return switch kind {
      case "method": decoder.method(types: text, selector: name).declaration.utf8.count
      case "property": decoder.property(attributes: text, name: name).declaration.utf8.count
      case "block": decoder.block(text).declaration.utf8.count
      case "ivar": decoder.type(text, named: name).declaration.utf8.count
      default: decoder.type(text).declaration.utf8.count
      }
    }
  }

  static func run(arguments: [String]) {
    let file = arguments.first ?? "Tests/Fixtures/encodings/encodings.tsv"
    let items = corpus(file)
    guard !items.isEmpty else { return print("\(file) has no encodings; run this from the package's folder") }
    corpusTable(items)
    linearity()
  }

  // MARK: The corpus

  private static func corpus(_ file: String) -> [Item] {
    lines(of: file).dropFirst().compactMap { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard cells.count == 9 else { return nil }
      let dialect: EncodingDialect =
        cells[3].hasPrefix("apple") ? .apple : cells[3] == "gcc" ? .gcc : .gnustep2
      return Item(kind: cells[0], text: String(cells[1]), name: String(cells[5]), dialect: dialect)
    }
  }

  private static func corpusTable(_ items: [Item]) {
    print("\(items.count) strings of the corpus, parsed and written as declarations, one thread, best of 7 rounds")
    print("  peer: the same strings through a decoder over strings; allocations are calls of malloc, counted by ours")
    for kind in ["type", "ivar", "method", "property", "block"] as [Substring] {
      row(String(kind), items.filter { $0.kind == kind })
    }
    row("all", items)
  }

  private static func row(_ name: String, _ items: [Item]) {
    var decoder = BulkDecoder()
    let bulk = measure(items) { $0.decode(&decoder) }
    let ours = measure(items) { $0.decode() }
    let peer = measure(items) { StringDecoder.declaration(of: $0.text).utf8.count }
    func figures(_ value: (seconds: Double, allocations: Double)) -> String {
      "\(NumberText.fixed(value.seconds * 1e6, decimals: 2)) µs, \(NumberText.fixed(value.allocations, decimals: 2)) allocations"
    }
    func ratio(_ value: (seconds: Double, allocations: Double)) -> String {
      "\(NumberText.fixed(value.seconds / peer.seconds, decimals: 2)) of its time,"
        + " \(NumberText.fixed(value.allocations / peer.allocations, decimals: 2)) of its allocations"
    }
    print("  \(name): peer \(figures(peer)) a string")
    print("    one by one   \(figures(ours)): \(ratio(ours))")
    print("    BulkDecoder  \(figures(bulk)): \(ratio(bulk))")
  }

  /// Seconds and allocations for one item, on average.
  private static func measure(_ items: [Item], _ work: (Item) -> Int) -> (seconds: Double, allocations: Double) {
    var best = Double.infinity
    var written = 0
    for _ in 0..<7 {
      let rounds = 20
      let time = ContinuousClock().measure {
        for _ in 0..<rounds { for item in items { written += work(item) } }
      }
      best = min(best, seconds(time) / Double(rounds * items.count))
    }
    let before = cac_allocations()
    for item in items { written += work(item) }
    let allocations = Double(cac_allocations() - before) / Double(max(1, items.count))
    // Looked at, so that the work is not optimised away.
    if written == 0 { print("nothing was written") }
    return (best, allocations)
  }

  // MARK: Length

  private static func linearity() {
    print("one struct of many members, parsed and written with all of them; floor: a pass over the bytes")
    var first = 0.0
    for megabytes in [1, 10] {
      let text = "{S=" + String(repeating: "icQ*@d^v{P=ii}[4f]b3", count: megabytes * 1_000_000 / 20) + "}"
      let floor = seconds(ContinuousClock().measure { blackHole(text.utf8.reduce(0) { $0 &+ Int($1) }) })
      var parsed: TypeEncoding?
      let parse = seconds(ContinuousClock().measure { parsed = try? TypeEncoding(text) })
      let write = seconds(
        ContinuousClock().measure {
          blackHole(parsed?.declaration(style: DeclarationStyle(expandedLevels: 9)).utf8.count ?? 0)
        })
      let perByte = (parse + write) / Double(megabytes)
      if first == 0 { first = perByte }
      print(
        "  \(megabytes) MB: parse \(DurationText.format(seconds: parse)), write \(DurationText.format(seconds: write));"
          + " \(NumberText.fixed((parse + write) / max(floor, 1e-9), decimals: 0)) × the floor,"
          + " \(NumberText.fixed(perByte / first, decimals: 2)) × the time a byte of 1 MB")
    }
  }

  // MARK: Helpers

  private static func blackHole(_ value: Int) { if value == Int.min { print("never") } }

  private static func seconds(_ duration: Duration) -> Double {
    let (whole, parts) = duration.components
    return Double(whole) + Double(parts) * 1e-18
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func lines(of file: String) -> [Substring] {
    guard let stream = fopen(file, "r") else { return [] }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, stream)
      guard count > 0 else { break }
      bytes.append(contentsOf: buffer[..<count])
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
