// Floor 5: whether allocations are counted in this program.
import CAllocationCounter
import CLinux
import Synchronization

/// Asks the counter to count something known before anything it says is believed.
enum AllocationSupport {
  private static let isRightSoFar = Mutex<Bool?>(nil)

  /// Whether allocations are counted right in this program; `nil` as long as that cannot be told, since as many counts are open as
  /// there can be.
  static var isRight: Bool? {
    isRightSoFar.withLock { known in
      if known == nil, let first = countKnown(cl_allocate, cl_deallocate),
        let second = countKnown(
          { UnsafeMutableRawPointer.allocate(byteCount: $0, alignment: 16) }, { $0?.deallocate() })
      {
        known = first && second
      }
      return known
    }
  }

  /// Why allocations cannot be counted here; `nil` where they can.
  static var problem: String? {
    if isRight != false { return nil }
    return "allocations are not counted in this program: its malloc is not glibc's, or a sanitizer's, "
      + "or it brings an allocator of its own"
  }

  /// Why there is no count.
  static var reason: String { problem ?? "as many counts are open as there can be" }

  /// Allocates 16 blocks of known sizes and frees them; whether the count says exactly that. The functions are handed over, so that
  /// no optimizer can leave a pair of them out.
  @inline(never)
  private static func countKnown(
    _ allocate: (Int) -> UnsafeMutableRawPointer?, _ free: (UnsafeMutableRawPointer?) -> Void
  ) -> Bool? {
    let number = cac_open(0, nil)
    guard number >= 0 else { return nil }
    var blocks: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) = (nil, nil)
    var isRight = true
    // No range: unoptimized code of the standard library allocates when it iterates over one.
    var round: UInt64 = 0
    while round < 8 {
      round += 1
      blocks = (allocate(1000), allocate(3000))
      let held = cac_read(number)
      isRight = isRight && held.allocations == 2 * round && held.live_bytes >= 4000 && held.live_bytes < 8000
      free(blocks.0)
      free(blocks.1)
    }
    let figures = cac_close(number)
    return isRight && figures.allocations == 16 && figures.live_bytes == 0 && figures.peak_bytes >= 4000
  }
}
