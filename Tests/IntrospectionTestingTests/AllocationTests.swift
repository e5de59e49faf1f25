import CAllocationCounter
import CSwiftRuntime
import FixtureSupport
import Foundation
import IntrospectionTesting
import Synchronization
import Testing

@Suite struct AllocationTests {
  @Test func withinTheLimit() {
    expectAllocations(atMost: 3) { allocateBlocks(3) }
    expectAllocations(exactly: 3) { allocateBlocks(3) }
    expectAllocations(atMost: 0) {}
    expectAllocations(exactly: 0) {}
  }

  @Test func objectsAndArraysCount() {
    expectAllocations(exactly: 1) { withExtendedLifetime(onTheHeap(Connection())) {} }
    expectAllocations(exactly: 1) { withExtendedLifetime(onTheHeap([UInt8](repeating: 1, count: 5000))) {} }
  }

  @Test func otherThreadsDoNotDisturb() async {
    // A thread of its own: one of the few that tests run on must not be kept from them.
    let isOver = Atomic(false)
    Background.run(after: .zero) { while !isOver.load(ordering: .relaxed) { allocateBlocks(1000) } }
    for _ in 0..<50 { expectAllocations(exactly: 2) { allocateBlocks(2) } }
    isOver.store(true, ordering: .relaxed)
  }

  @Test func tooMany() {
    let found = findings {
      expectAllocations(atMost: 3) {
        allocateOneBlock()
        allocateBlocks(9)
      }
    }
    expectMessage(found, "allocations-many.txt")
  }

  @Test func tooFew() {
    expectMessage(findings { expectAllocations(exactly: 3) { allocateOneBlock() } }, "allocations-few.txt")
  }

  @Test func functionsAreIgnored() {
    let found = findings {
      expectAllocations(exactly: 1, ignoring: ["allocateBlocks"]) {
        allocateOneBlock()
        allocateBlocks(9)
      }
      expectAllocations(atMost: 0, ignoring: ["allocateBlocks"]) { allocateBlocks(9) }
    }
    #expect(found.isEmpty, "\(found)")
  }

  @Test func moreThanAreKept() {
    let found = findings { expectAllocations(atMost: 1) { allocateBlocks(30_000) } }
    #expect(found.first?.message.contains("10 000 more, which were not recorded") == true, "\(found)")
  }

  @Test func warmupIsNotCounted() {
    var runs = 0
    expectAllocations(atMost: 0, warmup: 2) {
      runs += 1
      if runs < 3 { allocateBlocks(1) }
    }
    #expect(runs == 3)
    expectAllocations(atMost: 0, warmup: -1) {}
  }

  @Test func wholeProcess() async {
    await #expect(processExitsWith: .success) {
      let found = await findings {
        await expectAllocations(atMost: 50) { await Task.detached { allocateBlocks(40) }.value }
        expectAllocations(atMost: 30, in: .process) { allocateBlocks(20) }
        await expectAllocations(atMost: 10) { await Task.detached { allocateBlocks(40) }.value }
      }
      check(found.count == 1 && found.first?.message.contains("allocateBlocks") == true, "\(found)")
    }
  }

  /// Against what was done, in a random order of calls.
  @Test func countsAgreeWithWhatWasDone() {
    // The first time is for the metadata of what this uses, which the runtime allocates.
    _ = Self.countRandomCalls(seed: 7)
    let (calls, held, figures, end) = Self.countRandomCalls(seed: 8)
    #expect(figures.allocations == calls)
    #expect(figures.live_bytes == held)
    #expect(end.live_bytes == 0)
    #expect(end.peak_bytes >= held)
  }

  private static func countRandomCalls(seed: UInt64) -> (UInt64, Int64, cac_figures, cac_figures) {
    var random = SeededGenerator(seed: seed)
    let live = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 4096)
    defer { live.deallocate() }
    var count = 0
    var calls: UInt64 = 0
    let scope = cac_open(0, nil)
    for _ in 0..<4000 {
      let size = Int.random(in: 1...200_000, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        live[count] = malloc(size)
        count += 1
      case 1:
        live[count] = calloc(size, 1)
        count += 1
      case 2 where count > 0: live[count - 1] = realloc(live[count - 1], size)
      case 3 where count > 0:
        count -= 1
        free(live[count])
        continue
      default: continue
      }
      calls += 1
    }
    var held: Int64 = 0
    for index in 0..<count { held += Int64(csr_usable_size(live[index])) }
    let figures = cac_read(scope)
    for index in 0..<count { free(live[index]) }
    return (calls, held, figures, cac_close(scope))
  }

  /// In a process of its own, since others would find none left.
  @Test func scopesRunOut() async {
    await #expect(processExitsWith: .success) {
      let scopes = (0..<64).map { _ in cac_open(0, nil) }
      check(scopes.contains(-1), "\(scopes)")
      check(cac_read(-1).allocations == 0 && cac_close(99).allocations == 0, "a scope that is none has counted")
      let found = findings { expectAllocations(atMost: 0) { allocateBlocks(1) } }
      check(found.count == 1 && found.first?.severity == .warning, "\(found)")
      // That was no judgement on this program for good.
      for scope in scopes where scope >= 0 { _ = cac_close(scope) }
      check(findings { expectAllocations(atMost: 1) { allocateBlocks(1) } }.isEmpty, "counted again")
    }
  }
}
