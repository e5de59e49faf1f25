extension EncodedType {
  /// Size and alignment of the type on a machine.
  ///
  /// `nil` where the encoding does not tell: `void`, functions, records whose members are left out, types without an
  /// encoding, and sizes beyond 2⁶⁴.
  public func layout(in model: DataModel = .lp64Apple) -> TypeLayout? {
    LayoutTable(of: self, in: model)[index]
  }
}

/// The layouts of a type and of everything in it. Children follow their parents in the tree, so one loop from the last
/// node to the first meets every child before its parent, and depth costs no stack.
struct LayoutTable {
  private let root: Int
  private var layouts: [TypeLayout?]

  subscript(index: Int) -> TypeLayout? {
    layouts.indices.contains(index - root) ? layouts[index - root] : nil
  }

  init(of type: EncodedType, in model: DataModel) {
    root = type.index
    layouts = Array(repeating: nil, count: Int(type.node.next) - type.index)
    for index in (root..<Int(type.node.next)).reversed() {
      layouts[index - root] = layout(of: index, type.tree, model)
    }
  }

  private func layout(of index: Int, _ tree: EncodingTree, _ model: DataModel) -> TypeLayout? {
    let node = tree.nodes[index]
    switch node.kind {
    case .none, .function, .name, .offset: return nil
    case .scalar: return ScalarType(rawValue: node.code).flatMap { model.layout(of: $0) }
    case .characterPointer, .pointer, .object, .block: return model.pointer
    case .complex: return self[index + 1]?.repeated(2)
    case .atomic: return self[index + 1]?.atomic
    case .array: return tree.number(at: node.start + 1, digits: node.payload).flatMap { self[index + 1]?.repeated($0) }
    case .vector:
      let numbers = tree.vectorNumbers(of: index)
      return TypeLayout(size: numbers.bytes, alignment: max(1, numbers.alignment))
    case .record:
      return RecordLayout(RecordType(type: EncodedType(tree: tree, index: index)), in: model, members: self)?.layout
    case .bits:
      let field = tree.bitField(of: index)
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
    self.init(record, in: model, members: LayoutTable(of: record.type, in: model))
  }

  init?(_ record: RecordType, in model: DataModel, members table: LayoutTable) {
    let members = record.members
    guard !members.isEmpty else { return nil }
    self.model = model
    isUnion = record.isUnion
    layout = TypeLayout(size: 0, alignment: 1)
    for member in members {
      if case .bitField(let field) = member.type.kind {
        guard place(field, isNamed: member.name != "") else { return nil }
      } else {
        guard place(table[member.type.index]) else { return nil }
      }
    }
    guard let bytes = roundedUp(extent, to: 8), let size = roundedUp(bytes / 8, to: layout.alignment) else {
      return nil
    }
    layout.size = size
  }

  private mutating func place(_ member: TypeLayout?) -> Bool {
    guard let member else { return false }
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
