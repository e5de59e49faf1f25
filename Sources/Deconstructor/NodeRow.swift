// Floor 4, storage: one line of a deconstruction.

/// A node as it is kept: 36 bytes, without references. Nodes stand in the order of the text, each before its children.
struct NodeRow: BitwiseCopyable {
  /// What the label field means.
  enum LabelForm: UInt8, BitwiseCopyable {
    case none
    /// A name by its number.
    case name
    /// An index in brackets.
    case index
    /// The text of a dictionary's key, at an offset in the texts: four bytes of length, then the text.
    case key
  }

  /// Set bits.
  struct Flags: OptionSet, BitwiseCopyable {
    let rawValue: UInt8
    static let isLet = Flags(rawValue: 1)
    static let isLazy = Flags(rawValue: 2)
    /// One of the values that a closure has captured.
    static let isCapture = Flags(rawValue: 4)
    /// A captured variable, shared with others.
    static let isVariable = Flags(rawValue: 8)
    /// Not what the type says: a figure that is wrong, a description that was cut.
    static let isCut = Flags(rawValue: 16)
  }

  var label: UInt32 = 0
  /// The declared type, by the number of its name.
  var declaredType: UInt32 = 0
  /// The type of the value, where it is not the declared one.
  var dynamicType: UInt32 = 0
  var textStart: UInt32 = 0
  var textLength: UInt32 = 0
  /// The number of an object, or of the storage of a collection, closure or box in the table of heap objects; 0 for none.
  var object: UInt32 = 0
  var depth: UInt32 = 0
  /// Elements of a collection; what was left out of an omission.
  var count: UInt32 = 0
  /// The count of what a mirror makes one by one, more than is shown: it may have no end.
  static let uncounted = UInt32.max
  var kind = Deconstruction.Kind.value
  var labelForm = LabelForm.none
  var sight = Deconstruction.Sighting.first
  /// Ownership in the low two bits, flags above.
  private var bits: UInt8 = 0

  var ownership: Deconstruction.Reference {
    get { Deconstruction.Reference(number: bits & 3) }
    set { bits = bits & ~3 | newValue.number }
  }

  var flags: Flags {
    get { Flags(rawValue: bits >> 2) }
    set { bits = bits & 3 | newValue.rawValue << 2 }
  }
}
