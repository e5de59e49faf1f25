import FixtureSupport
import Foundation
import ProcessMemory
import Testing

@Suite struct AllocatorStatisticsTests {
  @Test func liveBytesFollowWhatIsHeld() throws {
    // Other tests allocate and free at the same time, so one quiet moment of several is asked for.
    let size = 512 << 20
    let noise = 64 << 20
    var followed = false
    var blocks: [UnsafeMutableRawPointer?] = []
    for _ in 0..<50 where !followed {
      let before = try AllocatorStatistics.current()
      // Through something that lives on, or an optimizer finds the block useless and leaves it out.
      blocks.append(malloc(size))
      let during = try AllocatorStatistics.current()
      free(blocks.removeLast())
      let after = try AllocatorStatistics.current()
      let taken = Int(during.liveBytes) - Int(before.liveBytes)
      let mapped = Int(during.mappedBytes) - Int(before.mappedBytes)
      let given = Int(during.liveBytes) - Int(after.liveBytes)
      followed = [taken, mapped, given].allSatisfy { abs($0 - size) < noise }
    }
    #expect(followed)
  }

  @Test func freeMemoryCanBeGivenBack() throws {
    _ = try AllocatorStatistics.releaseFreeMemory()
  }

  /// A replaced allocator leaves glibc's figures untouched: zeros, which would read as "nothing live".
  @Test func aReplacedAllocatorIsSaidToBeNotAvailable() throws {
    let tree = TemporaryTree()
    tree.write(
      "replaced.c",
      """
      #include <stddef.h>
      #include <string.h>
      static char pool[256 << 20] __attribute__((aligned(16)));
      static size_t used;
      void *malloc(size_t size) {
        size = (size + 31) & ~(size_t)15;
        size_t start = __atomic_fetch_add(&used, size, __ATOMIC_RELAXED);
        if (start + size > sizeof pool) return NULL;
        *(size_t *)(pool + start) = size - 16;
        return pool + start + 16;
      }
      void free(void *block) { (void)block; }
      void *calloc(size_t count, size_t size) { return malloc(count * size); }
      void *realloc(void *block, size_t size) {
        void *fresh = malloc(size);
        if (fresh && block) {
          size_t old = *(size_t *)((char *)block - 16);
          memcpy(fresh, block, old < size ? old : size);
        }
        return fresh;
      }
      size_t malloc_usable_size(void *block) { return block ? *(size_t *)((char *)block - 16) : 0; }
      int posix_memalign(void **block, size_t alignment, size_t size) {
        char *raw = malloc(size + alignment);
        if (!raw) return 12;
        size_t address = ((size_t)raw + alignment - 1) / alignment * alignment;
        if (address != (size_t)raw) *(size_t *)(address - 16) = size;
        *block = (void *)address;
        return 0;
      }
      void *aligned_alloc(size_t alignment, size_t size) {
        void *block = NULL;
        return posix_memalign(&block, alignment, size) ? NULL : block;
      }
      void *memalign(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
      """)
    let library = tree.path + "/replaced.so"
    let compiled = try ChildProcess.run(["clang", "-shared", "-fPIC", "-O1", "-o", library, tree.path + "/replaced.c"])
    try #require(compiled.exitCode == 0, "\(compiled.error)")
    let probe = [BuiltProduct.path("scenario"), "allocator"]
    #expect(try ChildProcess.run(probe).output.contains("live "))
    let replaced = try ChildProcess.run(probe, environment: ["LD_PRELOAD": library])
    #expect(replaced.output.contains("is not available"), "\(replaced)")
  }
}
