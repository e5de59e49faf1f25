// Floor 5, growth: blocks without a type.
import HeapInspection
import MeasurementText

/// Names for blocks that are no objects of a known type.
enum UntypedGroup {
  /// `blocks of 64 to 127 bytes`.
  static func name(_ group: UntypedBlocks) -> String {
    group.largestSize == .max
      ? "blocks of \(group.smallestSize) bytes and more" : "blocks of \(group.smallestSize) to \(group.largestSize) bytes"
  }
}
