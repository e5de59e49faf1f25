// Floor 4, walk: one field or case of a form.

/// A stored field or a case of an enum, as one walk shows it.
struct Step: BitwiseCopyable {
  /// What to do with the field.
  enum Access: UInt8, BitwiseCopyable {
    case value
    case lazy, weak, unowned, unmanaged
    case redacted
    /// Its type does not resolve.
    case unresolved
    /// It cannot be copied; its bytes are those up to the next field, here called padding.
    case noncopyable
  }

  var access = Access.value
  var isLet = false
  /// A case whose payload is in a box.
  var isIndirect = false
  /// A case with a payload.
  var hasPayload = false
  /// The name of the field or case.
  var name: UInt32 = 0
  /// The form of its value; 0 where there is none.
  var form: UInt32 = 0
  /// The class above that declares it; 0 for the type itself.
  var owner: UInt32 = 0
  /// The property wrapper around it.
  var wrapper: UInt32 = 0
  var offset = 0
  /// Bytes up to the next field that hold nothing.
  var padding: UInt32 = 0
}
