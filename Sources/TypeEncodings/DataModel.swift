/// How wide the types of C are on a machine, and how they are aligned. Sizes and alignments are bytes.
public struct DataModel: Sendable, Equatable {
  /// Pointers, objects, classes, selectors, blocks.
  public var pointerSize: UInt64
  /// `D`.
  public var longDoubleSize: UInt64
  /// The alignment of `D`.
  public var longDoubleAlignment: UInt64
  /// The largest alignment of `q`, `Q` and `d`: 4 on 32-bit Darwin and Linux for x86.
  public var longLongAlignment: UInt64
  /// Whether a bit-field without a name aligns its record.
  public var unnamedBitFieldsAlign: Bool

  /// Apple's 64-bit ABI for arm64.
  public static let lp64Apple = DataModel(
    pointerSize: 8, longDoubleSize: 8, longDoubleAlignment: 8, longLongAlignment: 8, unnamedBitFieldsAlign: true)
  /// Apple's 64-bit ABI for Intel: as arm64, with long doubles of 16 bytes.
  public static let lp64AppleIntel = DataModel(
    pointerSize: 8, longDoubleSize: 16, longDoubleAlignment: 16, longLongAlignment: 8, unnamedBitFieldsAlign: false)
  /// The System V ABI for x86-64 (its psABI, section 3.1.2), as GNUstep on Linux uses it.
  public static let lp64GNU = DataModel(
    pointerSize: 8, longDoubleSize: 16, longDoubleAlignment: 16, longLongAlignment: 8, unnamedBitFieldsAlign: false)
  /// 32-bit Darwin for ARM: 8-byte scalars aligned to 4 (Apple, "iOS ABI Function Call Guide").
  public static let ilp32 = DataModel(
    pointerSize: 4, longDoubleSize: 8, longDoubleAlignment: 4, longLongAlignment: 4, unnamedBitFieldsAlign: true)

  /// A scalar's layout; `nil` for `void`.
  public func layout(of scalar: ScalarType) -> TypeLayout? {
    switch scalar {
    case .char, .unsignedChar, .bool: TypeLayout(size: 1, alignment: 1)
    case .short, .unsignedShort, .half: TypeLayout(size: 2, alignment: 2)
    case .int, .unsignedInt, .long, .unsignedLong, .float: TypeLayout(size: 4, alignment: 4)
    case .longLong, .unsignedLongLong, .double: TypeLayout(size: 8, alignment: longLongAlignment)
    case .int128, .unsignedInt128: TypeLayout(size: 16, alignment: 16)
    case .longDouble: TypeLayout(size: longDoubleSize, alignment: longDoubleAlignment)
    case .classObject, .selector, .atom: pointer
    case .void: nil
    }
  }

  /// A pointer's layout.
  public var pointer: TypeLayout { TypeLayout(size: pointerSize, alignment: pointerSize) }
}

/// How much room a type takes, in bytes.
public struct TypeLayout: Sendable, Equatable, Codable {
  /// Bytes, padding at the end included.
  public var size: UInt64
  /// Bytes.
  public var alignment: UInt64
  /// Whether nothing had to be guessed. Apple's bit-fields keep no declared type: `b7` may share a byte or an `int`.
  public var isExact = true

  init(size: UInt64, alignment: UInt64, isExact: Bool = true) {
    self.size = size
    self.alignment = alignment
    self.isExact = isExact
  }
}

/// The next multiple of a power of two or any other step; `nil` beyond 2⁶⁴.
func roundedUp(_ value: UInt64, to step: UInt64) -> UInt64? {
  guard step > 1 else { return value }
  let rest = value % step
  guard rest > 0 else { return value }
  let (sum, overflow) = value.addingReportingOverflow(step - rest)
  return overflow ? nil : sum
}
