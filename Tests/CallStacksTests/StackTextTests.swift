// How stacks are written.
import CallStacks
import FixtureSupport
import Foundation
import Testing

@Suite("stacks as text")
struct StackTextTests {
  private static let frames = """
    [{"function":"epoll_wait","full_function":"epoll_wait","symbol":"epoll_wait","module":"libc.so.6","offset":1085238,
      "inlined":false,"async":false,"awaiting":false,"kind":"function","guessed":false,"address":139939},
     {"function":"Parser.scan(_:)","full_function":"shop.Parser.scan(Swift.Int) -> Swift.Int","symbol":"$s4scan","module":"shop",
      "offset":4096,"file":"/src/shop/Parser.swift","line":88,"inlined":true,"async":false,"awaiting":false,"kind":"function",
      "guessed":false,"address":94000},
     {"function":"Parser.parse(_:)","full_function":"shop.Parser.parse(Swift.Int) async -> ()","symbol":"$s4parse","module":"shop",
      "offset":4096,"file":"/src/shop/Parser.swift","line":61,"inlined":false,"async":true,"awaiting":false,"kind":"function",
      "guessed":false,"address":94000},
     {"function":"Router.handle(_:)","full_function":"shop.Router.handle(Swift.Int) async -> ()","symbol":"$s4handle",
      "module":"shop","offset":4200,"file":"/src/shop/Router.swift","line":40,"inlined":false,"async":true,"awaiting":true,
      "kind":"function","guessed":false,"address":94200},
     {"function":"reabstraction thunk","full_function":"reabstraction thunk helper from @escaping","symbol":"$sIeg","module":"shop",
      "offset":4300,"inlined":false,"async":true,"awaiting":true,"kind":"thunk","guessed":false,"address":94300},
     {"module":"libplugin.so","offset":20240,"inlined":false,"async":false,"awaiting":false,"kind":"function","guessed":true,
      "address":95000},
     {"offset":140000,"inlined":false,"async":false,"awaiting":false,"kind":"function","guessed":true,"address":140000},
     {"function":"swift::run","full_function":"swift::run(swift::Job*)","symbol":"_ZN5swift3run","module":"libswift_Concurrency.so",
      "offset":30,"inlined":false,"async":false,"awaiting":false,"kind":"executor","guessed":false,"address":96000},
     {"function":"start_thread","full_function":"start_thread","symbol":"start_thread","module":"libc.so.6","offset":31,
      "inlined":false,"async":false,"awaiting":false,"kind":"executor","guessed":false,"address":96001}]
    """

  private func stack(_ end: StackEnd) throws -> SymbolicatedStack {
    SymbolicatedStack(frames: try JSONDecoder().decode([StackFrame].self, from: Data(Self.frames.utf8)), end: end)
  }

  @Test("short, full, cut off")
  func golden() throws {
    #expect(Golden.difference(try stack(.complete).description, "stack-short.txt") == nil)
    #expect(Golden.difference(StackText(.full).render(try stack(.limit)), "stack-full.txt") == nil)
    #expect(Golden.difference(StackText(functionLimit: 12).render(try stack(.broken)), "stack-narrow.txt") == nil)
  }

  @Test("what is written as JSON is read back")
  func coding() throws {
    let original = try stack(.broken)
    let copy = try JSONDecoder().decode(SymbolicatedStack.self, from: JSONEncoder().encode(original))
    #expect(copy == original)
  }

  @Test("names from outside stay on one line")
  func hostileNames() throws {
    var hostile = try stack(.complete)
    for index in hostile.frames.indices {
      hostile.frames[index].function = "a\nb\u{1B}[31m\(index)"
      hostile.frames[index].file = "x\ny"
    }
    let text = hostile.description
    #expect(!text.contains("\u{1B}"))
    #expect(text.split(separator: "\n").allSatisfy { $0.contains("?") || $0.contains("frames of") })
  }
}
