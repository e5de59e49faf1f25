// The grammar's ambiguities, each with the ruling it is read by, and the strings that users of other decoders reported.
import Testing
import TypeEncodings

@Suite("Rulings")
struct RulingTests {
  private func text(_ encoding: String, _ dialect: EncodingDialect = .apple, levels: Int = 0) throws -> String {
    try TypeEncoding(encoding, dialect: dialect).declaration(style: DeclarationStyle(expandedLevels: levels))
  }

  @Test("const belongs to the pointee for Apple and to what follows it for GCC")
  func const() throws {
    #expect(try text("r^i") == "const int *")
    #expect(try text("r^i", .gnustep2) == "const int *")
    #expect(try text("r^i", .gcc) == "int *const")
    #expect(try text("r^[3^{S}]") == "struct S *const (*)[3]")
    #expect(try text("r*") == "const char *")
    #expect(try text("r*", .gcc) == "const char *")
    #expect(try text("r^*") == "const char **")
    #expect(try text("r^[3*]") == "char *const (*)[3]")
    #expect(try text("r[3i]", .gcc) == "const int [3]")
    #expect(try text("r@?") == "void (^const)()")
    #expect(try text("r^@\"NSString\"") == "NSString *const *")
    #expect(try text("r@\"<P>\"") == "const id<P>")
    #expect(try text("r^@\"<P>\"") == "const id<P> *")
    #expect(try text("r^?") == "void (*const)()")
  }

  @Test(
    "an r that clang never writes proves GCC", arguments: ["^ri", "^r^i", "[3r^{S}]", "{S=r^i}", "rr*", "![16,16f]"])
  func provesGCC(_ encoding: String) throws {
    #expect(try TypeEncoding(encoding).provenDialect == .gcc)
    #expect(try TypeEncoding(encoding).dialect == .gcc)
  }

  @Test("other evidence")
  func evidence() throws {
    #expect(try TypeEncoding("{F=b8i4}").dialect == .gnustep2)
    #expect(try TypeEncoding("{F=b8i4}", dialect: .gcc).dialect == .gcc)
    #expect(try TypeEncoding("{F=b4}", dialect: .gcc).dialect == .apple)
    #expect(try TypeEncoding("r^i", dialect: .gcc).provenDialect == nil)
    // A block's arguments are outermost to clang.
    #expect(try TypeEncoding("@?<v@?r^v>").provenDialect == nil)
  }

  @Test("bit-fields of both dialects")
  func bitFields() throws {
    #expect(
      try text("{F=b3b0b5b40}", levels: 1)
        == "struct F { unsigned int x0 : 3; unsigned int : 0; unsigned int x2 : 5; unsigned long long x3 : 40; }")
    #expect(try text("{F=b0C1b1c7}", levels: 1) == "struct F { unsigned char x0 : 1; char x1 : 7; }")
    #expect(try text("b200") == "unsigned _BitInt(200) : 200")
    let members = try TypeEncoding("{F=b0I1b1I1}").type.members
    #expect(members == ["unsigned int : 1", "unsigned int : 1"])
  }

  @Test(
    "tags end where their brackets say",
    arguments: [
      ("{Fix<Dim{32, 8}>=i}", "Fix<Dim{32, 8}>"), ("{CharT<'}'>=i}", "CharT<'}'>"), ("{CharT<'='>=i}", "CharT<'='>"),
      ("{CharT<'\"'>=i}", "CharT<'\"'>"), ("{CharT<'\\''>=i}", "CharT<'\\''>"),
      ("{CharT<'\\x01'>=i}", "CharT<'\\x01'>"),
      ("{Box<(lambda at a.mm:1:12)>=i}", "Box<(lambda at a.mm:1:12)>"),
      ("{Box<(anonymous namespace)::H>=i}", "Box<(anonymous namespace)::H>"),
      ("{function<void (int, float)>=i}", "function<void (int, float)>"),
      ("{PtrT<&Op<int>::operator<>=i}", "PtrT<&Op<int>::operator<>"), ("{Op<&X::operator>>=i}", "Op<&X::operator>>"),
      ("{Op<&X::operator==>=i}", "Op<&X::operator==>"), ("{Op<(1<2)>=i}", "Op<(1<2)>"),
      ("{Box<decltype(a->b)>=i}", "Box<decltype(a->b)>"), ("{Ptr<&X::operator->>=i}", "Ptr<&X::operator->>"),
      ("{vector<<unnamed>::A,std::allocator<<unnamed>::A> >=i}", "vector<<unnamed>::A,std::allocator<<unnamed>::A> >"),
      ("{vector<int=i}", "vector<int"), ("{\u{20AC}=i}", "\u{20AC}"),
    ])
  func tags(encoding: String, tag: String) throws {
    guard case .record(let record) = try TypeEncoding(encoding).type.kind else { return #expect(Bool(false)) }
    #expect(record.tag == tag)
    #expect(record.members.count == 1)
    #expect(try TypeEncoding(encoding).encoded() == encoding)
  }

  @Test("quoted text after an object is a class, or the next member's name")
  func quotedNames() throws {
    #expect(try text("{S=\"a\"@\"b\"^v}", levels: 1) == "struct S { id a; void *b; }")
    #expect(try text("{S=\"a\"@\"B\"\"c\"i}", levels: 1) == "struct S { B *a; int c; }")
    #expect(try text("{S=\"a\"@\"B\"}", levels: 1) == "struct S { B *a; }")
    #expect(try text("{S=\"a\"[2@\"B\"]}", levels: 1) == "struct S { B *a[2]; }")
    #expect(try text("{S=@\"B\"i}", levels: 1) == "struct S { B *x0; int x1; }")
    #expect(try text("{S=\"h\"@?<v@?@\"B\"i>\"n\"i}", levels: 1) == "struct S { void (^h)(B *, int); int n; }")
    #expect(try text("{S=\"u\"@\"\"b4}", levels: 1) == "struct S { id u; unsigned int : 4; }")
    #expect(throws: TypeEncodingError.self) { try TypeEncoding("@\"\"") }
  }

  @Test(
    "what users of other decoders reported",
    arguments: [
      ("[20{A=\"t\"S}]", "struct A { unsigned short t; } [20]"), (" ", "_Float16"),
      ("![16,8i]", "int __attribute__((vector_size(16)))"), ("AQ", "_Atomic(unsigned long long)"), ("@?", "void (^)()"),
      ("^?", "void (*)()"), ("(?=b32I)", "union { unsigned int x0 : 32; unsigned int x1; }"),
      ("(?=AQQ)", "union { _Atomic(unsigned long long) x0; unsigned long long x1; }"),
      ("(?=QQ)", "union { unsigned long long x0; unsigned long long x1; }"), ("", "/* unknown */"),
      ("AB", "_Atomic(BOOL)"), ("D", "long double"), ("@", "id"), ("*", "char *"),
      ("{?=\"a\"\"b\"}", "struct { /* unknown */ a; /* unknown */ b; }"), ("@\"Nope\"", "Nope *"),
      ("{_NSRange=QQ}", "struct _NSRange { unsigned long long x0; unsigned long long x1; }"), ("^v", "void *"),
      ("{S=(?=if)@}", "struct S { union { int x0; float x1; } x0; id x1; }"),
      ("{B=\"level\"d\"on\"B}", "struct B { double level; BOOL on; }"), ("l", "long"), ("@\"<P>\"", "id<P>"),
      ("@?<v@?@\"A\">", "void (^)(A *)"), ("B", "BOOL"), ("c", "char"), ("@\"_TtCC1m1A1B\"", "m.A.B *"), ("#", "Class"),
      ("@\"_TtC4main3Foo\"", "main.Foo *"), ("@\"NSArray<P>\"", "NSArray<P> *"), ("A^i", "_Atomic(int *)"),
      ("^Ai", "_Atomic(int) *"), ("[8[32s]]", "short [8][32]"),
    ])
  func reported(encoding: String, expected: String) throws {
    #expect(try text(encoding, levels: 9) == expected)
  }

  @Test("reported methods and properties")
  func reportedMethods() throws {
    let method = try MethodEncoding(types: "v24@0:8(u={?=II}Q)16", selector: "-m:")
    var numbered = DeclarationStyle()
    numbered.argumentNames = .numbered
    #expect(method.declaration(style: numbered) == "- (void)m:(union u)arg1;")
    let untyped = try MethodEncoding(types: "", selector: "-reload")
    #expect(untyped.notes == [.noTypes])
    #expect(untyped.declaration().hasPrefix("- (id)reload;"))
    #expect(try MethodEncoding(types: "v24@0:8jd16", selector: "-m:").arguments.count == 1)
    let property = try PropertyEncoding(attributes: "T@\"NSRange\",N", name: "r")
    #expect(!property.isReadOnly)
    let error = #expect(throws: TypeEncodingError.self) { try TypeEncoding("{S=[") }
    #expect(error?.offset == 4)
    #expect(throws: TypeEncodingError.self) { try TypeEncoding("@?<v") }
  }
}

extension EncodedType {
  /// The members of a record, as declarations without names.
  var members: [String] {
    guard case .record(let record) = kind else { return [] }
    return record.members.map { $0.type.declaration() }
  }
}
