extension EncodedType {
  /// Size and alignment of the type on a machine.
  ///
  /// `nil` where the encoding does not tell: `void`, functions, records whose members are left out, types without an
  /// encoding, and sizes beyond 2⁶⁴.
  public func layout(in model: DataModel = .lp64Apple) -> TypeLayout? {
    switch kind {
    case .unknown, .function: return nil
    case .scalar(let scalar): return model.layout(of: scalar)
    case .characterPointer, .pointer, .object, .block: return model.pointer
    case .complex(let part): return part.layout(in: model).flatMap { $0.repeated(2) }
    case .atomic(let value): return value.layout(in: model)?.atomic
    case .array(let count, let element):
      guard let count, let layout = element.layout(in: model) else { return nil }
      return layout.repeated(count)
    case .vector(let bytes, let alignment, _): return TypeLayout(size: bytes, alignment: max(1, alignment))
    case .record(let record): return RecordLayout(record, in: model)?.layout
    case .bitField(let field):
      guard var layout = model.layout(of: field.storageType) else { return nil }
      layout.isExact = field.storage != nil
      return layout
    }
  }
}

extension BitField {
  /// The declared type, or the smallest unsigned one that Apple's width fits.
  var storageType: ScalarType {
    storage ?? (width <= 32 ? .unsignedInt : width <= 64 ? .unsignedLongLong : .unsignedInt128)
  }
}

extension TypeLayout {
  fileprivate func repeated(_ count: UInt64) -> TypeLayout? {
    let (product, overflow) = size.multipliedReportingOverflow(by: count)
    return overflow ? nil : TypeLayout(size: product, alignment: alignment, isExact: isExact)
  }

  /// Atomics of up to 16 bytes are rounded up to a power of two and aligned to their size, as clang does.
  fileprivate var atomic: TypeLayout {
    guard size > 0, size <= 16 else { return self }
    var rounded: UInt64 = 1
    while rounded < size { rounded *= 2 }
    return TypeLayout(size: rounded, alignment: max(alignment, rounded), isExact: isExact)
  }
}

/// Where the members of a record are.
public struct RecordLayout: Sendable {
  /// Size and alignment of the whole.
  public private(set) var layout: TypeLayout
  /// Where each member begins, in bits from the beginning of the record.
  public private(set) var bitOffsets: [UInt64] = []

  private let model: DataModel
  private let isUnion: Bool
  /// The first free bit; in a union always 0.
  private var cursor: UInt64 = 0
  /// The last bit in use.
  private var extent: UInt64 = 0

  /// Lays a record out by the rules of the System V ABI, which Apple's follow: each member at the next multiple of its
  /// alignment; a bit-field never across a boundary of its declared type; the size a multiple of the alignment.
  ///
  /// `nil` where members are left out or have no size.
  public init?(_ record: RecordType, in model: DataModel) {
    let members = record.members
    guard !members.isEmpty else { return nil }
    self.model = model
    isUnion = record.isUnion
    layout = TypeLayout(size: 0, alignment: 1)
    for member in members {
      if case .bitField(let field) = member.type.kind {
        guard place(field, isNamed: member.name != "") else { return nil }
      } else {
        guard place(member.type) else { return nil }
      }
    }
    guard let bytes = roundedUp(extent, to: 8), let size = roundedUp(bytes / 8, to: layout.alignment) else {
      return nil
    }
    layout.size = size
  }

  private mutating func place(_ type: EncodedType) -> Bool {
    guard let member = type.layout(in: model) else { return false }
    let (bits, overflow) = member.size.multipliedReportingOverflow(by: 8)
    guard !overflow, let start = roundedUp(cursor, to: max(1, member.alignment) &* 8) else { return false }
    layout.alignment = max(layout.alignment, member.alignment)
    layout.isExact = layout.isExact && member.isExact
    return take(start, bits)
  }

  private mutating func place(_ field: BitField, isNamed: Bool) -> Bool {
    guard let unit = model.layout(of: field.storageType) else { return false }
    let unitBits = unit.size * 8
    if field.storage == nil { layout.isExact = false }
    var start = cursor
    if let position = field.position, !isUnion {
      // The position counts from the beginning of the class for an instance variable, of the record for a member.
      start = max(cursor, position)
    } else if field.width == 0 || cursor % unitBits + min(field.width, unitBits) > unitBits {
      guard let next = roundedUp(cursor, to: unitBits) else { return false }
      start = next
    }
    if isNamed && field.width > 0 || model.unnamedBitFieldsAlign {
      layout.alignment = max(layout.alignment, unit.alignment)
    }
    return take(start, field.width)
  }

  private mutating func take(_ start: UInt64, _ bits: UInt64) -> Bool {
    let (end, overflow) = start.addingReportingOverflow(bits)
    guard !overflow else { return false }
    bitOffsets.append(start)
    extent = max(extent, end)
    cursor = isUnion ? 0 : end
    return true
  }
}
