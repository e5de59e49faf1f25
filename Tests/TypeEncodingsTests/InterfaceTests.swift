// The header of a class of the kind that decoders meet, and what is grouped, folded and left out.
import FixtureSupport
import Foundation
import Testing
import TypeEncodings

@Suite("Interfaces")
struct InterfaceTests {
  /// A view that shows events on a time line, as clang for arm64 macOS encodes it.
  static let sample = ObjCInterface(
    className: "TLTimelineView", superclassName: "NSView",
    protocols: [
      .init(name: "NSCopying"), .init(name: "TLEventSource", selectors: ["-numberOfEvents", "-eventAtIndex:"]),
    ],
    instanceVariables: [
      .init(name: "_events", encoding: "@\"NSMutableArray\""),
      .init(name: "_visibleRange", encoding: "{_NSRange=\"location\"Q\"length\"Q}"),
      .init(name: "_tickPositions", encoding: "[16d]"),
      .init(name: "_layoutPass", encoding: "^?"),
      .init(name: "_flags", encoding: "{?=\"needsLayout\"b1\"isScrubbing\"b1\"zoomLevel\"b6}"),
    ],
    properties: [
      .init(name: "title", attributes: "T@\"NSString\",C,N,V_title"),
      .init(name: "delegate", attributes: "T@\"<TLTimelineDelegate>\",W,N,V_delegate"),
      .init(name: "playing", attributes: "TB,R,N,GisPlaying"),
      .init(name: "onScrub", attributes: "T@?,C,N,V_onScrub"),
    ],
    methods: [
      .init(selector: "+timelineViewWithEvents:", types: "@24@0:8@16"),
      .init(selector: "-initWithFrame:events:", types: "@56@0:8{CGRect={CGPoint=dd}{CGSize=dd}}16@48"),
      .init(selector: "-initWithCoder:", types: "@24@0:8@16"),
      .init(selector: "-copyWithZone:", types: "@24@0:8^{_NSZone=}16"),
      .init(selector: "-numberOfEvents", types: "Q16@0:8"),
      .init(selector: "-eventAtIndex:", types: "@24@0:8Q16"),
      .init(selector: "-title", types: "@16@0:8"),
      .init(selector: "-setTitle:", types: "v24@0:8@16"),
      .init(selector: "-delegate", types: "@16@0:8"),
      .init(selector: "-setDelegate:", types: "v24@0:8@16"),
      .init(selector: "-isPlaying", types: "B16@0:8"),
      .init(selector: "+defaultTickCount", types: "Q16@0:8"),
      .init(selector: "-setTickPositions:count:", types: "v32@0:8r^d16Q24"),
      .init(selector: "-rectForEventAtIndex:", types: "{CGRect={CGPoint=dd}{CGSize=dd}}24@0:8Q16"),
      .init(selector: "-enumerateEventsInRange:usingBlock:", types: "v40@0:8{_NSRange=QQ}16@?<v@?@\"TLEvent\"Q^B>32"),
      .init(selector: "-scrollToTime:animated:", types: "v28@0:8d16B24"),
      .init(selector: "-writeToURL:error:", types: "B32@0:8@16^@24"),
      .init(selector: "-transformMatrix", types: "^[4f]16@0:8"),
      .init(selector: "-.cxx_destruct", types: "v16@0:8"),
    ])

  @Test("nineteen methods, four properties and five variables make a header")
  func header() throws {
    #expect(Self.sample.methods.count == 19 && Self.sample.properties.count == 4)
    #expect(Self.sample.instanceVariables.count == 5 && Self.sample.problems.isEmpty)
    let golden = try String(contentsOfFile: Fixture.path("encodings/TLTimelineView.h"), encoding: .utf8)
    #expect(Self.sample.declaration() == golden)
  }

  @Test("what cannot be read is written as far as it goes, and listed")
  func problems() {
    let interface = ObjCInterface(
      className: "_TtC4main3Foo",
      instanceVariables: [.init(name: "x", encoding: "{S=i")],
      methods: [.init(selector: "-a:", types: "v24@0:8["), .init(selector: "-b", types: "")])
    let text = interface.declaration()
    #expect(interface.problems.map(\.item) == ["x", "-a:"])
    #expect(text.contains("@interface main.Foo {"))
    #expect(text.contains("struct S x; // a struct that is never closed"))
    #expect(text.contains("- (id)b; // no types"))
    #expect(text.hasSuffix("@end\n"))
  }

  @Test("class properties, renamed accessors and read-only ones")
  func accessors() {
    let interface = ObjCInterface(
      className: "Store",
      properties: [
        .init(name: "+shared", attributes: "T@\"Store\",R"), .init(name: "open", attributes: "TB,GisOpen,SmarkOpen:"),
        .init(name: "size", attributes: "TQ,R"),
      ],
      methods: [
        .init(selector: "+shared", types: "@16@0:8"), .init(selector: "-isOpen", types: "B16@0:8"),
        .init(selector: "-markOpen:", types: "v20@0:8B16"), .init(selector: "-setSize:", types: "v24@0:8Q16"),
      ])
    #expect(
      interface.declaration() == """
        @interface Store

        @property (class, readonly) Store *shared;
        @property (getter=isOpen, setter=markOpen:) BOOL open;
        @property (readonly) unsigned long long size;

        - (void)setSize:(unsigned long long)size;

        @end

        """)
  }
}
