import FixtureSupport
import Foundation
import HeapInspection
import Testing

/// What a reader sees, kept as golden files.
@Suite struct TextTests {
  private func census(_ types: String, live: Int = 67_213_721) throws -> HeapCensus {
    let text = """
      {"pid":4242,"method":"walk","coverage":0.99987,"seconds":0.21,"stopped_seconds":0,"bytes_read":70000000,
      "totals":{"arenas":3,"mapped_bytes":70000000,"walked_bytes":69990000,"live_blocks":1100000,"live_bytes":\(live),
      "mapped_blocks":1,"mapped_block_bytes":8912896,"free_bytes":1258291,"free_blocks":200,"untouched_bytes":100,
      "resynchronizations":1},
      "types":[\(types)],
      "untyped":[{"smallest_size":1024,"largest_size":2047,"blocks":3,"bytes":3250585},
      {"smallest_size":16,"largest_size":31,"blocks":20,"bytes":480}]}
      """
    return try JSONDecoder().decode(HeapCensus.self, from: Data(text.utf8))
  }

  private func row(_ type: String, _ kind: String, _ instances: Int, _ bytes: Int, _ more: String = "") -> String {
    "{\"type\":\"\(type)\",\"kind\":\"\(kind)\",\"instances\":\(instances),\"bytes\":\(bytes),\"deinitialized\":0\(more)}"
  }

  private func shop() throws -> HeapCensus {
    try census(
      [
        row("Swift.__StringStorage", "class", 436_812, 21_076_377, ",\"storage\":{\"elements\":690,\"capacity\":1000}"),
        row("Shop.Session", "class", 218_400, 13_946_060), row("Shop.User", "class", 218_400, 12_582_912),
        row(
          "Swift._DictionaryStorage<Swift.Int, Shop.Session>", "class", 1, 8_912_896,
          ",\"storage\":{\"elements\":218400,\"capacity\":393216}"),
        row("closure capturing Request, Session", "closure", 12_043, 1_153_433),
        row("Shop.Timeout", "error", 3, 168),
        row("Shop.Cache<[Swift.String : Shop.Box<Swift.Int>.Item?]>", "actor", 2, 48),
        "{\"type\":\"Shop.Zombie\",\"kind\":\"class\",\"instances\":0,\"bytes\":480,\"deinitialized\":12}",
        row("shop::Engine", "c++", 4, 4096),
      ].joined(separator: ","))
  }

  @Test func aCensus() throws {
    #expect(Golden.difference(try shop().text(), "heap-census.txt") == nil)
  }

  @Test func aFewRowsOfIt() throws {
    var options = CensusTextOptions()
    options.limit = 3
    options.order = .count
    #expect(Golden.difference(try shop().text(options), "heap-census-by-count.txt") == nil)
  }

  @Test func allOfIt() throws {
    var options = CensusTextOptions()
    options.limit = nil
    options.showsUntyped = true
    #expect(Golden.difference(try shop().text(options), "heap-census-all.txt") == nil)
  }

  @Test func someTypes() throws {
    var options = CensusTextOptions()
    options.filter = TypePattern("session")
    #expect(Golden.difference(try shop().text(options), "heap-census-filter.txt") == nil)
    options.filter = TypePattern("Nothing")
    #expect(try shop().text(options).hasPrefix("no type matches\n"))
  }

  @Test func growth() throws {
    let censuses = try (0..<4).map { number in
      try census(
        [
          row("Shop.Session", "class", 1000 + number * 455, 64_000 + number * 29_120),
          row("Shop.User", "class", 900 + number * 456, 50_000 + number * 25_000),
          row("Shop.Request", "class", [3, 9, 2, 7][number], [300, 900, 200, 700][number]),
          row(
            "Swift._DictionaryStorage<Swift.Int, Shop.Session>", "class", 1, [90_000, 90_000, 180_000, 180_000][number]),
          row("Shop.Steady", "class", 50, 5000),
        ].joined(separator: ","), live: 2_000_000 + number * 60_000)
    }
    #expect(Golden.difference(HeapGrowth(censuses).text(), "heap-growth.txt") == nil)
    #expect(Golden.difference(HeapGrowth(Array(censuses.prefix(2))).text(), "heap-growth-two.txt") == nil)
    #expect(HeapGrowth([censuses[0], censuses[0]]).text().hasPrefix("no type has more instances"))
    #expect(HeapGrowth([censuses[0]]).text().contains("two at least"))
    #expect(HeapGrowth([]).types.isEmpty)
    #expect(HeapGrowth(censuses).groups == [["Shop.Session", "Shop.User"]])
    #expect(HeapGrowth(censuses).types.first?.growsEveryTime == true)
  }

  @Test func patterns() {
    #expect(TypePattern("Session").matches("Shop.Session"))
    #expect(TypePattern("session").matches("Shop.Session"))
    #expect(!TypePattern("SESSION").matches("Shop.Session"))
    #expect(TypePattern("shop.*").matches("Shop.Session"))
    #expect(!TypePattern("shop.*").matches("Swift.Array<Shop.Session>"))
    #expect(TypePattern("*storage<*>").matches("Swift._DictionaryStorage<Swift.Int, Shop.Session>"))
    #expect(TypePattern("*a*a*").matches("banana") && !TypePattern("a*a*a*b").matches("banana"))
    #expect(TypePattern("").matches("anything") && TypePattern("*").matches("") && TypePattern("*").matches("x"))
    #expect(!TypePattern("ab*b").matches("ab") && TypePattern("ab*b").matches("abb"))
  }
}
