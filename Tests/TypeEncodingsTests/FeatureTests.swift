// Methods, names of arguments, layouts, differences, conversions, symbols, embedded encodings, costs.
import CAllocationCounter
import FixtureSupport
import Foundation
import Testing
import TypeEncodings

@Suite("Methods and properties")
struct MethodTests {
  @Test(
    "arguments are named after the selector",
    arguments: [
      ("setValue:forKey:", ["value", "key"]), ("initWithFrame:style:", ["frame", "style"]),
      ("convertPoint:fromView:", ["point", "view"]), ("objectAtIndex:", ["index"]), ("isEqual:", ["other"]),
      ("isEqualTo:", ["other"]), ("isKindOfClass:", ["aClass"]),
      ("performSelector:withObject:", ["aSelector", "object"]),
      ("initWithURL:", ["url"]), ("setURLString:", ["urlString"]), ("moveItem:item:", ["item", "item2"]),
      ("add_object:", ["object"]), ("setInt:", ["anInt"]), ("compare:", ["object"]), (":", ["object"]),
      ("writeToFile:options:error:", ["file", "options", "error"]), ("set1:", ["set1"]), ("with:", ["with"]),
      ("sortUsing:", ["object"]), ("isDescendantOf:", ["descendant"]),
      ("tableView:cellForRowAtIndexPath:", ["tableView", "indexPath"]),
    ])
  func names(selector: String, names: [String]) throws {
    let types = "v@:" + String(repeating: "@", count: names.count)
    let text = try MethodEncoding(types: types, selector: selector).declaration()
    let found = text.split(separator: ")").dropFirst(2).map { $0.prefix { $0 != " " && $0 != ";" } }
    #expect(found.map(String.init) == names)
  }

  @Test("labels that name nothing leave it to the type")
  func fallbacks() throws {
    func text(_ types: String) throws -> String { try MethodEncoding(types: types, selector: "-fetch:").declaration() }
    #expect(try text("v@:i") == "- (void)fetch:(int)value;")
    #expect(try text("v@:^i") == "- (void)fetch:(int *)pointer;")
    #expect(try text("v@:@?") == "- (void)fetch:(void (^)())block;")
    #expect(try text("v@:").hasPrefix("- (void)fetch:(/* unknown */)arg1;"))
  }

  @Test("a wrong number of arguments is said")
  func counts() throws {
    let fewer = try MethodEncoding(types: "v24@0:8@16", selector: "-a:b:c:")
    #expect(fewer.notes == [.argumentCount(types: 1, selector: 3)])
    #expect(
      fewer.declaration()
        == "- (void)a:(id)a b:(/* unknown */)b c:(/* unknown */)c; // the types have 1 argument, the selector takes 3")
    let more = try MethodEncoding(types: "v24@0:8@16", selector: "-foo")
    #expect(more.declaration() == "- (void)foo; // the types have 1 argument, the selector takes 0")
    let bits = try MethodEncoding(types: "v24@0:8b316", selector: "-m:")
    #expect(bits.notes == [.bitFieldArgument(1)])
  }

  @Test("offsets are kept")
  func offsets() throws {
    let method = try MethodEncoding(types: "i8@-8:-4i0", selector: "-neg:")
    #expect(method.frameSize == 8 && method.receiver?.offset == -8 && method.arguments.first?.offset == 0)
    let registers = try MethodEncoding(types: "v16@+0:+8", selector: "+reg")
    #expect(registers.receiver?.isInRegister == true && registers.isClassMethod)
    #expect(try MethodEncoding(types: "v@:@", selector: "m:").frameSize == nil)
    #expect(try MethodEncoding(types: "@16@0:8", selector: "-[NSObject init]").declaration() == "- (id)init;")
  }

  @Test("property attributes in any order, with all that they hold")
  func properties() throws {
    let property = try PropertyEncoding(
      attributes: "N,GtheName,S_set:,T{pair<int, float>=if},D,?,V_pair,\"longname\"value", name: "pair")
    #expect(property.isNonatomic && property.isDynamic && property.isOptional && !property.isReadOnly)
    #expect(property.getter == "theName" && property.setter == "_set:" && property.instanceVariable == "_pair")
    #expect(property.otherAttributes == ["\"longname\"value"])
    #expect(
      property.declaration()
        == "@property (nonatomic, getter=theName, setter=_set:) struct pair<int, float> pair;")
    #expect(try PropertyEncoding(attributes: "Ti", name: "x").setterSelector == "setX:")
  }
}

@Suite("Layouts, differences, conversions")
struct LayoutTests {
  @Test(
    "sizes and alignments",
    arguments: [
      ("{Mixed=csiqfd}", 32, 8), ("{CGRect={CGPoint=dd}{CGSize=dd}}", 32, 8), ("[4[4f]]", 64, 4),
      ("(Number=if^v)", 8, 8),
      ("{F=b0I1b1I2b3I29}", 4, 4), ("{MixFlags=sb16I4b32I0b32I5c}", 8, 4), ("{CharFlags=b0C1b1c7b16S9}", 4, 2),
      ("{WideFlags=b0i3b3I17b20Q34b64Q64}", 16, 8), ("t", 16, 16), ("jd", 16, 8), ("A{S=ccc}", 4, 4), ("l", 4, 4),
      ("{Flexible=I[0d]}", 8, 8), ("![16,16f]", 16, 16), ("{V=c![16,16f]}", 32, 16), ("D", 16, 16),
    ])
  func sizes(encoding: String, size: UInt64, alignment: UInt64) throws {
    let layout = try TypeEncoding(encoding).type.layout(in: .lp64GNU)
    #expect(layout?.size == size && layout?.alignment == alignment)
  }

  @Test("data models differ")
  func models() throws {
    let type = try TypeEncoding("{S=cd^v}").type
    #expect(type.layout(in: .lp64Apple)?.size == 24)
    #expect(type.layout(in: .ilp32)?.size == 16)
    #expect(try TypeEncoding("D").type.layout(in: .lp64Apple)?.size == 8)
    #expect(try TypeEncoding("{S=b3b5}").type.layout()?.isExact == false)
    for unknown in ["v", "?", "{S}", "{S=}", "{S=^{T}{T}}", "[1000000000000[1000000000000i]]", ""] {
      #expect(try TypeEncoding(unknown).type.layout() == nil)
    }
  }

  @Test("the first part that differs is named")
  func differences() throws {
    func difference(_ one: String, _ other: String) throws -> TypeDifference? {
      try TypeEncoding(one).difference(from: TypeEncoding(other))
    }
    let size = try difference(
      "{CGRect=\"origin\"{CGPoint=dd}\"size\"{CGSize=dd}}", "{CGRect=\"origin\"{CGPoint=dd}\"size\"{CGSize=df}}")
    #expect(size?.description == "struct CGRect, member 2 (size), struct CGSize, member 2: type is double, was float")
    #expect(size?.otherRange == 43..<44)
    #expect(try difference("^[3i]", "^[4i]")?.description == "pointee: count is 3, was 4")
    #expect(try difference("{S=ii}", "{S=iii}")?.description == "members is 2, was 3")
    #expect(try difference("{S=i}", "{T=i}")?.aspect == .tag)
    #expect(try difference("@\"A\"", "@\"B\"")?.aspect == .className)
    #expect(try difference("@?<v@?i>", "@?<v@?if>")?.aspect == .arguments)
    #expect(try difference("r^i", "^i")?.description == "pointee: qualifiers is const, was none")
    // Said in other ways, or not at all, is no difference.
    #expect(try difference("@\"A\"", "@") == nil)
    #expect(try difference("^{S}", "^{S=ii}") == nil)
    let gcc = try TypeEncoding("^ri", dialect: .gcc)
    #expect(try TypeEncoding("r^i").difference(from: gcc) == nil)
  }

  @Test("encodings of one dialect written in another")
  func conversions() throws {
    func converted(_ text: String, _ from: EncodingDialect, _ to: EncodingDialect) throws -> String {
      try TypeEncoding(text, dialect: from).encoded(dialect: to)
    }
    #expect(try converted("r^i", .apple, .gcc) == "^ri")
    #expect(try converted("^ri", .gcc, .apple) == "r^i")
    #expect(try converted("r^^[3^{S}]", .apple, .gcc) == "^^[3r^{S}]")
    #expect(try converted("rn*", .apple, .gcc) == "nr*")
    #expect(try converted("r^i", .gcc, .apple) == "^i")
    #expect(try converted("{F=b1b2b29}", .apple, .gnustep2) == "{F=b0I1b1I2b3I29}")
    #expect(try converted("{F=b0I1b1I2b3I29}", .gnustep2, .apple) == "{F=b1b2b29}")
    #expect(try converted("![16,16f]", .gcc, .apple) == "")
  }
}

@Suite("Swift's names before version 4")
struct OldNameTests {
  /// As the toolchain's `swift demangle` prints them; the runtime does not read them.
  @Test(
    arguments: [
      ("_TtBf64_", "Builtin.FPIEEE64"), ("_TtBv4Bi8_", "Builtin.Vec4xInt8"),
      ("_TtGSPSi_", "Swift.UnsafePointer<Swift.Int>"),
      ("_TtGSQSS_", "Swift.String!"), ("_TtCSo8NSObject", "__C.NSObject"),
      ("_TtbSiSu", "@convention(block) (Swift.Int) -> Swift.UInt"),
      ("_TtKSiSu", "@autoclosure (Swift.Int) -> Swift.UInt"), ("_TtP3foo3barS_3bas_", "foo.bar & foo.bas"),
      ("_TtP_", "Any"),
      ("_TttSiSu_", "(Swift.Int, Swift.UInt...)"), ("_TturFxx", "<A>(A) -> A"), ("_TtPMP_", "Any.Type"),
      ("_TtC4mainP33_0123456789ABCDEF0123456789ABCDEF3Foo", "main.(Foo in _0123456789ABCDEF0123456789ABCDEF)"),
      ("_TF3foooi1pFTCS_3barVS_3bas_OS_3zim", "foo.+ infix(foo.bar, foo.bas) -> foo.zim"),
      ("_TFV4main3FooCfT1xSi_S0_", "main.Foo.init(x: Swift.Int) -> main.Foo"),
      ("_TZFC4main3Foo3barfT_T_", "static main.Foo.bar() -> ()"),
      ("_TWvdvC4main3Foo3barSi", "direct field offset for main.Foo.bar : Swift.Int"),
      ("_TFF4main3fooFT_T_L_3barfT_T_", "bar #1 () -> () in main.foo() -> ()"),
      ("_TToFC4main3Foo3barfT_T_", "@objc main.Foo.bar() -> ()"),
    ])
  func demangled(name: String, expected: String) { #expect(SwiftClassName.demangled(name) == expected) }

  @Test("private classes lose their file, other names are none")
  func readable() {
    #expect(SwiftClassName.readable("_TtC4mainP33_0123456789ABCDEF0123456789ABCDEF3Foo") == "main.Foo")
    #expect(SwiftClassName.readable("NSString") == nil)
    for hostile in [
      "_T", "_Tt", "_TtC4main", "_TtC99999999999main3Foo", "_Tt" + String(repeating: "GSa", count: 1300),
      "_Tt" + String(repeating: "Bv4", count: 1300), "_TtT" + String(repeating: "S_", count: 2000),
    ] { #expect(SwiftClassName.readable(hostile) == nil) }
    // Substitutions that double at each step end where their text would.
    let doubling = "_TtG" + (0..<20).map { "GC1a1bS\($0 + 1)_S\($0 + 1)__" }.joined() + "_"
    #expect((SwiftClassName.readable(doubling)?.utf8.count ?? 0) < 1 << 20)
  }
}

@Suite("Symbols and text")
struct SymbolTests {
  @Test("symbols.tsv")
  func table() throws {
    let rows = CorpusTable("symbols.tsv").rows
    #expect(rows.count == 181)
    for row in rows {
      for name in [row[0], row[0].replacingOccurrences(of: "\\x01", with: "\u{1}")] {
        let symbol = try #require(EncodedSymbol(name), "\(name)")
        #expect(symbol.kind.rawValue == row[1])
        #expect(symbol.selector ?? "" == row[2])
        #expect(symbol.encoding == row[3])
      }
    }
    #expect(EncodedSymbol("main") == nil && EncodedSymbol("__block_descriptor_32_e99_v") == nil)
    #expect(EncodedSymbol("__block_descriptor_40_e8_32s_e5_v8\u{1}?0l")?.encoding == "v8@?0")
  }

  @Test("encodings are found in lines, and words are left alone")
  func embedded() {
    func found(_ line: String) -> [String] { EmbeddedEncodings.find(in: line).map { "\($0.kind.rawValue) \($0.text)" } }
    #expect(found("bad type {CGRect={CGPoint=dd}{CGSize=dd}} here") == ["type {CGRect={CGPoint=dd}{CGSize=dd}}"])
    #expect(found("types='v24@0:8@16', block=\"v8@?0\".") == ["method v24@0:8@16", "block v8@?0"])
    #expect(
      found("has {vector<int, std::allocator<int>>=^i^i^i};") == ["type {vector<int, std::allocator<int>>=^i^i^i}"])
    #expect(found("attributes T@\"NSString\",C,N,V_title and more") == ["property T@\"NSString\",C,N,V_title"])
    #expect(found("is it (a=b) or [i] or id or {x}, at 5:30 i.e. Q?") == [])
    #expect(found("") == [])
  }

  @Test("decoding allocates the nodes and the text; many strings share the nodes")
  func allocations() throws {
    guard cac_allocations() > 0 else { return }
    func count(_ body: () throws -> Void) rethrows -> UInt {
      try body()
      let before = cac_allocations()
      try body()
      return UInt(cac_allocations() - before)
    }
    // Without optimisation closures and views are allocated that a release does without.
    var factor: UInt = 1
    assert({ factor = 30 }() == ())
    #expect(try count { _ = try TypeEncoding("[4^[2^i]]").declaration() } <= 2 * factor)
    #expect(
      try count { _ = try MethodEncoding(types: "v32@0:8@16@24", selector: "-setValue:forKey:").declaration() } <= 3
        * factor)
    var decoder = BulkDecoder()
    let types = CorpusRow.all.filter { $0.kind == .type }.map(\.encoding)
    let bulk = count { for type in types { _ = decoder.type(type) } }
    #expect(bulk <= UInt(types.count) * factor)
  }

  @Test("a struct of a million members takes no more than its length asks for")
  func length() throws {
    let text = "{S=" + String(repeating: "i", count: 200_000) + "}"
    let encoding = try TypeEncoding(text)
    guard case .record(let record) = encoding.type.kind else { return #expect(Bool(false)) }
    #expect(record.members.count == 200_000)
    #expect(encoding.type.layout()?.size == 800_000)
  }
}
