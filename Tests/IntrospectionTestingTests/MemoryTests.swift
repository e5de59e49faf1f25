import FixtureSupport
import IntrospectionTesting
import Testing

@Suite struct MemoryTests {
  @Test func belowTheLimit() {
    expectMemory(below: .mib(2), in: .thisThread) { takeAndGiveBack(1 << 20) }
    expectMemory(.retained, below: .kib(1), in: .thisThread) { takeAndGiveBack(1 << 20) }
  }

  @Test func aPeak() {
    let found = findings { expectMemory(below: .mib(4), in: .thisThread) { takeAndGiveBack(8 << 20) } }
    expectMessage(found, "memory-peak.txt")
  }

  @Test func whatIsLeft() async {
    await #expect(processExitsWith: .success) {
      let found = findings {
        expectMemory(.retained, below: .kib(4)) {
          keepCards(100)
          leakBlock(5000)
        }
      }
      checkMessage(found, "memory-retained.txt")
    }
  }

  @Test func ignoredTypesDoNotCount() async {
    await #expect(processExitsWith: .success) {
      let found = findings {
        expectMemory(.retained, below: .kib(1), ignoring: ["*.IgnoredCard", "*ArrayStorage<*"]) {
          keepCards(100)
        }
      }
      check(found.isEmpty, "\(found)")
    }
  }

  @Test func whatIsFreedALittleLater() async {
    await #expect(processExitsWith: .success) {
      let found = await findings {
        await expectMemory(.retained, below: .kib(512)) {
          let large = [UInt8](repeating: 1, count: 1 << 20)
          Task.detached {
            try await Task.sleep(for: .milliseconds(50))
            withExtendedLifetime(large) {}
          }
        }
      }
      check(found.isEmpty, "\(found)")
    }
  }

  @Test func amounts() {
    #expect(MemoryAmount.mib(1.5).bytes == 1_572_864)
    #expect(MemoryAmount.mib(-1).bytes == 0 && MemoryAmount.bytes(-1).bytes == 0)
    #expect(MemoryAmount.gib(.infinity).bytes == .max && MemoryAmount.gib(.nan).bytes == 0)
    #expect(MemoryAmount.kib(1) < .mib(1))
    #expect("\(MemoryAmount.mib(24))" == "24.0 MiB")
  }
}
