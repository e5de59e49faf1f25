// Floor 5, growth: blocks without a type.
import HeapInspection
import MeasurementText

/// Names for blocks that are no objects of a known type.
enum UntypedGroup {
  /// `blocks of 64 to 127 bytes`.
  static func name(_ group: UntypedBlocks) -> String {
    let sizes = group.largestSize == .max ? " bytes and more" : " to \(group.largestSize) bytes"
    return "blocks of \(group.smallestSize)" + sizes
  }
}
