// Floor 4, walk: how values of one type are shown in one deconstruction.

/// A type as one walk treats it: the plan of the process, the options and the numbers of its names brought together.
struct Form: BitwiseCopyable {
  /// What to do with a value.
  enum Handling: UInt8, BitwiseCopyable {
    /// Not decided yet.
    case undecided

    // Leaves, read in place.
    case int8, int16, int32, int64, uint8, uint16, uint32, uint64
    case float, double, bool
    case string, substring, character
    /// An address, of which the text says whether there is one.
    case pointer
    /// Address and count.
    case bufferPointer
    /// A date of Foundation: seconds since the first of January 2001.
    case date
    /// A number of C without a name for its values.
    case foreign
    /// The description of a type that can be trusted with it.
    case described
    case task, metatype, existentialMetatype

    // Values around values.
    case optional, opaqueExistential, objectExistential, errorExistential, anyHashable

    // Parts.
    case fields, enumeration, list, fixedArray, dictionary, set, function, object
    /// The form that the type has chosen, in two ways.
    case custom, mirrored
    /// A class with a description instead of fields.
    case describedObject, customObject, mirroredObject
    /// A reference that no type describes: a box, a task.
    case heapReference

    // What is not shown.
    case noncopyable, redacted, stripped, opaque
  }

  var handling = Handling.undecided

  /// Whether values are one word of text.
  var isLeaf: Bool {
    handling.rawValue >= Handling.int8.rawValue && handling.rawValue <= Handling.existentialMetatype.rawValue
  }

  /// Whether reflection records of a class, or of one above it, are missing.
  var isStripped = false
  var isTuple = false
  /// Whether only a copy of a payload shows it: more than one case has one, so that bits of it may say which.
  var needsProjection = false
  /// The name of the type.
  var name: UInt32 = 0
  /// What an optional wraps, the element of an array.
  var inner: UInt32 = 0
  var firstStep: UInt32 = 0
  /// Fields or cases; of an inline array, its elements.
  var stepCount: UInt32 = 0
  var size = 0
  var stride = 0
  var metadata: UnsafeRawPointer?
}
