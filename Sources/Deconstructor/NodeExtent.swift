// Floor 4, storage: where a field lies, kept only when sizes or offsets are asked for.

/// The place of a field in its value or object.
struct NodeExtent: BitwiseCopyable {
  /// Bytes from the start; negative for what is no field.
  var offset: Int32 = -1
  /// Bytes of the value itself.
  var size: UInt32 = 0
  /// Bytes behind it that hold nothing.
  var padding: UInt32 = 0
}
