import FixtureSupport
import Foundation
import HeapInspection
import Testing

final class Canary { var number = 1 }
/// Where objects are that an optimizer must not leave out. Each exit test has a process of its own, and one thread sets it.
nonisolated(unsafe) var kept: [Canary] = []

/// Looks at what is kept, so that it has to be there until then.
func checkKept(_ count: Int) { check(kept.reduce(0) { $0 + $1.number } == count, "what was kept is gone") }

final class Busy { var text = "a text that is long enough to need a storage" }

/// The process that asks about itself. Each test has a process of its own: others would run in the same heap.
@Suite struct OwnProcessTests {
  @Test func theOwnObjectsAreCounted() async {
    await #expect(processExitsWith: .success) {
      kept = (0..<321).map { _ in Canary() }
      let census = try HeapSnapshot.take(of: .current).census
      let row = census.types.first { $0.type.hasSuffix(".Canary") }
      check(row?.instances == 321, "\(String(describing: row)), \(census.totals)")
      checkKept(321)
    }
  }

  @Test func whatTheInspectionItselfHoldsIsNotInItsResult() async {
    await #expect(processExitsWith: .success) {
      // Once for all that is made at first use.
      let first = try HeapSnapshot.take(of: .current).census
      check(first.coverage > 0.99, "\(first.totals)")
      var results: [[String: UInt64]] = []
      results.reserveCapacity(4)
      for _ in 0..<3 {
        let census = try HeapSnapshot.take(of: .current).census
        let own = census.types.filter { type in
          ["HeapInspection.", "SwiftMetadata.", "ProcessMemory.", "Symbolication."].contains { type.type.hasPrefix($0) }
        }
        check(own.isEmpty, "\(own)")
        results.append(["blocks": census.totals.liveBlocks])
      }
      // What grows from one to the next is the result that is kept here: one dictionary, and no more.
      let growth = (results[2]["blocks"] ?? 0) - (results[1]["blocks"] ?? 0)
      check(growth <= 2, "\(growth) blocks more")
    }
  }

  @Test func otherThreadsRunOn() async {
    await #expect(processExitsWith: .success) {
      for _ in 0..<3 {
        Thread {
          while true {
            var objects: [Busy] = []
            for _ in 0..<1000 { objects.append(Busy()) }
          }
        }.start()
      }
      kept = (0..<500).map { _ in Canary() }
      for _ in 0..<20 {
        let census = try HeapSnapshot.take(of: .current).census
        let row = census.types.first { $0.type.hasSuffix(".Canary") }
        check(row?.instances == 500, "\(String(describing: row)) \(census.totals)")
      }
      checkKept(500)
    }
  }
}
