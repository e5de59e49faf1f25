import ProcessMemory
import Testing

@Suite struct HostMemoryFactsTests {
  @Test func aMachineWithControlGroupsOfVersion2() {
    let facts = HostMemoryFacts.read(for: Recorded.processID, root: Recorded.root("host-v2", pageSize: 16_384))
    #expect(facts.pageSize == 16_384)
    #expect(facts.processorCount == 5)
    #expect(facts.kernelRelease == "6.8.0-45-generic")
    #expect(facts.transparentHugePages == "madvise")
    #expect(facts.totalBytes == 16_384_000 * 1024)
    #expect(facts.availableBytes == 8_192_000 * 1024)
    #expect(facts.swapTotalBytes == 2_097_152 * 1024)
    #expect(facts.controlGroup?.version == 2)
    #expect(facts.controlGroup?.path == "/system.slice/shop.service")
    // The group itself has no limit; the one above it has.
    #expect(facts.controlGroup?.limitBytes == 536_870_912)
    #expect(facts.controlGroup?.usageBytes == 123_456_789)
  }

  @Test func aContainerWithControlGroupsOfVersion1() {
    let facts = HostMemoryFacts.read(for: Recorded.processID, root: Recorded.root("host-v1"))
    // The path is the host's; what the container sees at the top of the mount is its own group.
    #expect(facts.controlGroup?.version == 1)
    #expect(facts.controlGroup?.limitBytes == nil)
    #expect(facts.controlGroup?.usageBytes == 734_003_200)
    #expect(facts.totalBytes == nil)
    #expect(facts.processorCount == nil)
  }

  @Test func thisMachine() {
    let facts = HostMemoryFacts.read()
    #expect(facts.pageSize.nonzeroBitCount == 1)
    #expect((facts.totalBytes ?? 0) > 0)
    #expect(facts.kernelRelease?.isEmpty == false)
  }
}
