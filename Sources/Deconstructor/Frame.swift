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

/// Where a value stands: everything about a node but the value.
struct Site {
  var depth: UInt32
  var label: UInt32 = 0
  var labelForm = NodeRow.LabelForm.none
  /// The declared type, where it is not the type of the form.
  var declared: UInt32 = 0
  var wrapper: UInt32 = 0
  var flags: NodeRow.Flags = []
  var ownership = Deconstruction.Reference.strong
  /// Offset, size and padding of a field.
  var offset: Int32 = -1
  var size: UInt32 = 0
  var padding: UInt32 = 0
}

/// Helpers that stay alive while the frames above them are visited.
final class ScratchBytes {
  let start: UnsafeMutableRawPointer

  init(copying bytes: UnsafeRawPointer, count: Int) {
    start = .allocate(byteCount: max(1, count), alignment: 16)
    start.copyMemory(from: bytes, byteCount: count)
  }

  // The bytes are a view of a value that lives elsewhere: nothing is destroyed.
  deinit { start.deallocate() }
}

/// Values with labels, as a mirror or a custom form gives them.
final class LabelledValues {
  let values: UnsafeMutablePointer<Any>
  let labels: [String?]

  init(_ parts: [(label: String?, value: Any)]) {
    labels = parts.map(\.label)
    values = .allocate(capacity: max(1, parts.count))
    for (index, part) in parts.enumerated() { (values + index).initialize(to: part.value) }
  }

  deinit { values.deinitialize(count: labels.count).deallocate() }
}
