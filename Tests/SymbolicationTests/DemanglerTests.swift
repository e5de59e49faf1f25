// Names that compilers made, and what their own tools print for them.
import FixtureSupport
import Foundation
import Symbolication
import Testing

/// A table of tab-separated cells under one line of names.
private func table(_ file: String) -> [[String]] {
  let text = (try? String(contentsOfFile: Fixture.path("encodings/" + file), encoding: .utf8)) ?? ""
  return text.split(separator: "\n", omittingEmptySubsequences: true).dropFirst().map {
    $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }
}

@Suite("Demangling")
struct DemanglerTests {
  /// Version 4.0 mangled parameter lists in another way; the runtime reads such a name only where there is none.
  private static let unreadable: Set<String> = ["_T04main3addS2i_SitF"]

  @Test("swift-names.tsv")
  func swiftNames() {
    let rows = table("swift-names.tsv")
    #expect(rows.count == 442)
    var same = 0
    for row in rows {
      let text = Demangler.demangled(row[0]) ?? Demangler.demangledType(row[0]) ?? row[0]
      if text == row[1] { same += 1 } else if !Self.unreadable.contains(row[0]) { Issue.record("\(row[0]): \(text)") }
    }
    print("names: \(same) of \(rows.count) Swift names as the toolchain's tool prints them")
    #expect(same * 100 >= rows.count * 99)
  }

  @Test("cxx-names.tsv")
  func cxxNames() {
    let rows = table("cxx-names.tsv")
    #expect(rows.count == 164)
    var same = 0
    for row in rows {
      let text = Demangler.demangled(row[0]) ?? ""
      // libstdc++ says `std::string` where c++filt spells it out; a Mach-O name has one underscore more.
      let isChoice =
        row[0].hasPrefix("__Z") || text.contains("std::string") && row[1].contains("std::basic_string<char")
      if text == row[1] { same += 1 } else if !isChoice { Issue.record("\(row[0]): \(text)") }
    }
    print("names: \(same) of \(rows.count) C++ names as c++filt prints them")
    #expect(same * 100 >= rows.count * 98)
  }

  @Test(
    "text that does not demangle passes through", arguments: ["main", "", "$", "_Z", "$s", "id", "_Tx", "$s4mai", "_T"])
  func plain(_ text: String) {
    #expect(Demangler.demangled(text) == nil)
    #expect(Demangler.readable(text) == text)
    #expect(NameDecoder.declaration(for: text) == nil)
  }

  @Test("what is handed to the runtimes is bounded")
  func bounds() {
    #expect(Demangler.demangled("$sSi" + String(repeating: "Sg", count: 5000) + "D") == nil)
    #expect(Demangler.demangled("_Z1f" + String(repeating: "P", count: 5000) + "i") == nil)
    #expect(Demangler.demangled("$s4main3foo\0yyF") == nil)
    #expect(Demangler.demangled("_Z3foo\0v") == nil)
  }

  @Test("names that double their text at each step are stopped")
  func expansion() {
    for levels in [2, 30, 60] {
      let letters = (0..<levels).map { $0 + 3 < 26 ? "A\(UnicodeScalar(UInt8(65 + $0 + 3)))" : "A\($0 + 3 - 26)_" }
      let swift = "$s1a1PVySiSiG_" + letters.map { "ACy\($0)\($0)G" }.joined() + "tD"
      let places = (0..<levels).map { "S" + String($0, radix: 36, uppercase: true) + "_" }
      let cxx = "_Z1f1AIiiE" + places.map { "S_I\($0)\($0)E" }.joined()
      for name in [swift, cxx] {
        let text = Demangler.demangled(name)
        #expect((text != nil) == (levels == 2), "\(name)")
        #expect((text?.utf8.count ?? 0) < 1 << 24)
      }
    }
  }

  @Test("the longest names fit a thread of 512 KiB")
  func stack() async {
    let most = Demangler.maximumSwiftLength
    let names = [
      "$sSi" + String(repeating: "Sg", count: (most - 6) / 2) + "D",
      "$s" + String(repeating: "Say", count: most / 5) + "Si" + String(repeating: "G", count: most / 5) + "D",
      "_Z1f" + String(repeating: "P", count: Demangler.maximumCxxLength - 6) + "i",
      "_Z1f" + String(repeating: "1AI", count: 1000) + "i" + String(repeating: "E", count: 1000),
      "_ZN" + String(repeating: "1a", count: 2000) + "E1fv", "_Tt" + String(repeating: "GSa", count: 1300),
      "$sx" + String(repeating: "m", count: 190), "$sx" + String(repeating: "m", count: most - 3),
      "_TtT" + String(repeating: "GSaS0_", count: 600),
    ]
    let finished = await withCheckedContinuation { continuation in
      let thread = Thread {
        for name in names { _ = NameDecoder.decode(name) }
        continuation.resume(returning: true)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(finished)
  }

  @Test("names come out the same from many threads")
  func threads() async {
    let rows = table("swift-names.tsv").prefix(50)
    await withTaskGroup(of: [String?].self) { group in
      for _ in 0..<4 { group.addTask { rows.map { Demangler.demangled($0[0]) } } }
      var results: [[String?]] = []
      for await result in group { results.append(result) }
      #expect(results.allSatisfy { $0 == results[0] })
    }
  }
}

@Suite("Declarations")
struct DeclarationTests {
  @Test(
    "what the source said",
    arguments: [
      ("$s4main7CounterC3incSiyF", "func inc() -> Int", "class Counter"),
      ("$s6shapes6SquareV4sideACSd_tcfC", "init(side: Double)", "struct Square"),
      ("$s4conc5ModelC5itemsSaySSGvg", "var items: [String] { get }", "class Model"),
      ("$s6shapes4KindO8rawValueACSgSS_tcfC", "init?(rawValue: String)", "enum Kind"),
      ("$sSaySiGD", "[Int]", nil), ("$sSayxSiciM", "subscript(_: Int) -> A { _modify }", "struct Array"),
      ("$s6shapes6globalSaySiGvp", "var global: [Int]", nil),
      ("$sSd1sopyS2dFZ", "static prefix func - (Double) -> Double", "struct Double"),
      ("$sScMfd", "deinit", "class MainActor"),
      (
        "$sSMy7ElementQz5IndexQzciMTj", "dispatch thunk of subscript(_: A.Index) -> A.Element { _modify }",
        "protocol MutableCollection"
      ),
      ("$ss13_SwiftifyExprO4selfyA2BmFWC", "enum case for case self(_: _SwiftifyExpr.Type)", "enum _SwiftifyExpr"),
      (
        "$s4conc5groupSiyYaFSiScGySiGzYaXEfU_SiyYacfU_",
        "closure #1 () async -> Int in closure #1 (inout TaskGroup<Int>) async -> Int in func group() async -> Int", nil
      ),
      ("$sSSSgWOhTm", "merged outlined destroy of String?", nil),
      ("_ZN1a1b1SclEif", "a::b::S::operator()(int, float)", nil), ("_TtC4main3Foo", "class Foo", nil),
    ] as [(String, String, String?)])
  func declarations(mangled: String, declaration: String, context: String?) throws {
    let name = try #require(NameDecoder.decode(mangled))
    #expect(name.declaration == declaration)
    if let context { #expect(name.context == context) }
  }

  @Test("modules go, what they hold stays")
  func simplified() {
    #expect(Demangler.simplified("$s4main7CounterC3incSiyF") == "Counter.inc() -> Int")
    #expect(Demangler.simplified("$sSBxycfC").map { !$0.contains("Swift.") } ?? true)
    for row in table("swift-names.tsv") {
      guard let text = Demangler.simplified(row[0]) else { continue }
      // A conformance names its module by itself.
      #expect(!text.contains("Swift.Int") && !text.contains("Swift.String"), "\(text)")
    }
  }

  @Test("names of malformed.txt do no harm")
  func malformed() {
    let text = (try? String(contentsOfFile: Fixture.path("encodings/malformed.txt"), encoding: .utf8)) ?? ""
    let cells = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    let names = cells.filter { $0.count == 3 && ($0[0] == "swift" || $0[0] == "cxx") && !$0[1].hasPrefix("=") }
    #expect(names.count > 20)
    for name in names { _ = NameDecoder.decode(String(name[1])) }
  }
}
