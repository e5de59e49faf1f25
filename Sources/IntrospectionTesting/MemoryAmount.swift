// Floor 5: an amount of memory in a test.
import MeasurementText

/// An amount of memory: `.mib(24)`, `.kib(1.5)`, `.bytes(4096)`.
public struct MemoryAmount: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// In bytes.
  public let bytes: UInt64

  private init(_ bytes: UInt64) { self.bytes = bytes }

  /// So many bytes; negative ones are none.
  public static func bytes(_ count: Int) -> MemoryAmount { MemoryAmount(UInt64(clamping: count)) }
  /// So many times 1024 bytes.
  public static func kib(_ count: Double) -> MemoryAmount { scaled(count, 1024) }
  /// So many times 1024² bytes.
  public static func mib(_ count: Double) -> MemoryAmount { scaled(count, 1_048_576) }
  /// So many times 1024³ bytes.
  public static func gib(_ count: Double) -> MemoryAmount { scaled(count, 1_073_741_824) }

  private static func scaled(_ count: Double, _ unit: Double) -> MemoryAmount {
    let bytes = (count * unit).rounded()
    if bytes >= 0x1p64 { return MemoryAmount(.max) }
    return MemoryAmount(bytes > 0 ? UInt64(bytes) : 0)
  }

  /// The smaller amount first.
  public static func < (first: MemoryAmount, second: MemoryAmount) -> Bool { first.bytes < second.bytes }

  /// `24.0 MiB`.
  public var description: String { ByteText.format(bytes) }
}
