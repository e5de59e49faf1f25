// Floor 4, walk: where a value stands.

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
