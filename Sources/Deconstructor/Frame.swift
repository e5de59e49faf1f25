// Floor 4, walk: what is being taken apart.

/// A value some of whose parts have yet to be visited. The walk keeps these on a stack of its own, so that the depth of a
/// value costs memory and no thread's stack.
struct Frame: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// Fields of a struct, tuple or object.
    case fields
    /// One value without a label.
    case single
    /// Elements in a row, with their indices.
    case elements
    /// Elements in a row, without.
    case members
    /// Keys and values with texts for labels.
    case entries
    /// Keys and values, both with parts.
    case pairs
    /// Values with labels, from the type's own form.
    case listed
    /// What a closure has captured.
    case captures
  }

  var kind: Kind
  /// Where the parts are.
  var base: UnsafeRawPointer?
  /// The part to visit next, and the first one that will not be.
  var next: UInt32 = 0
  var end: UInt32 = 0
  /// The form of the value, or of each element.
  var form: UInt32 = 0
  /// The node of the value.
  var node: UInt32
  /// The depth of the parts.
  var depth: UInt32
  /// The object, in the table of heap objects; 0 where it is none.
  var heapRow: UInt32 = 0
  /// How many helpers were kept before this frame was made.
  var kept: UInt32
  /// The class whose fields are being shown.
  var owner: UInt32 = 0
  /// Parts that are there and will not be read.
  var omitted: UInt32 = 0
  /// Index of the first element, for slices.
  var firstIndex: UInt32 = 0
}
