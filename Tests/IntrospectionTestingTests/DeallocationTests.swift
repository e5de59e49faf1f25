import IntrospectionTesting
import Testing

final class Session { var onTimeout: (() -> Void)?; var name = "x" }

@Suite struct DeallocationTests {
  @Test func clean() { expectDeallocated { Session() } }
  @Test func cycle() {
    expectDeallocated {
      let s = Session()
      s.onTimeout = { s.name = "y" }
      return s
    }
  }
  @Test func growth() {
    expectNoGrowth {
      let s = Session()
      s.onTimeout = { s.name = "y" }
    }
  }
  @Test func asyncGrowth() async {
    await expectNoGrowth {
      let s = Session()
      s.onTimeout = { s.name = "y" }
      await Task.yield()
    }
  }
  @Test func cleanGrowth() { expectNoGrowth { _ = Session() } }
  @Test func mallocGrowth() { expectNoGrowth { _ = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 1) } }
}
