// Floor 5: which field of an object or value a reference is in.
import HeapInspection
import ProcessMemory
import SwiftMetadata

/// What is at an offset of an object or a value of this process, as far as its declaration and its present case say.
struct ReferenceSpot {
  /// The names of the field and of those within it.
  private(set) var fields: [String] = []
  /// Uncertain where the declaration is not known as far as the reference: parts of a value that its case does not use keep what was in
  /// memory before.
  private(set) var strength = ReferenceStrength.uncertain

  private static let deepestSpot = 16
  /// Values larger than this are not looked at for their case.
  private static let largestValue = 1 << 16

  /// - Parameters:
  ///   - place: the address of the reference.
  ///   - offset: from the beginning of the object to it, in bytes.
  ///   - type: the object's class.
  init(at place: HeapAddress, offset: Int, ofObject type: TypePlan) {
    guard case .object(let fields) = type.shape else {
      strength = .holding
      return
    }
    // Behind the fields is room that a class may take for elements (`ManagedBuffer`); which are in use is its own affair.
    guard offset < type.metadata.instanceSize else { return }
    guard let (inner, rest) = step(into: fields, at: offset) else { return }
    look(at: place, offset: rest, in: inner)
  }

  /// The same for a value that is stored in place, of which a class is a reference.
  init(at place: HeapAddress, offset: Int, ofValue type: TypePlan) {
    look(at: place, offset: offset, in: type)
  }

  private mutating func look(at place: HeapAddress, offset: Int, in type: TypePlan) {
    var (type, rest) = (type, offset)
    for _ in 0..<Self.deepestSpot {
      if type.metadata.isTrivial { return strength = .uncertain }
      // Padding behind a value.
      if rest >= type.metadata.size { return strength = .notHolding }
      switch type.shape {
      // Collections and strings, one reference each.
      case .structure where type.module == "Swift": return strength = .holding
      case .structure(let fields), .tuple(let fields):
        guard let inner = step(into: fields, at: rest) else { return }
        (type, rest) = inner
      case .optional(let wrapped):
        // Cases with payloads are counted first.
        guard Self.caseNumber(of: type, at: place, offset: rest) ?? 0 == 0 else { return strength = .notHolding }
        type = wrapped
      case .enumeration(let cases):
        guard let number = Self.caseNumber(of: type, at: place, offset: rest), cases.indices.contains(number) else {
          return
        }
        if case .none = cases[number].payload { return strength = .notHolding }
        guard case .value(let payload) = cases[number].payload, !cases[number].isIndirect else { return }
        type = payload
      case .fixedArray(count: _, let element):
        type = element
        rest %= max(element.metadata.stride, 1)
      case .object, .existential(.error): return strength = .holding
      // The words behind it are no references, or a value's that may be smaller than its room.
      case .existential(.object): return strength = rest == 0 ? .holding : .notHolding
      case .existential(.opaque): return strength = rest == 0 ? .holding : .uncertain
      // The code, and the context.
      case .function: return strength = rest == MetadataLayout.wordSize ? .holding : .notHolding
      case .metatype, .existentialMetatype, .foreign, .stripped, .opaque: return
      }
    }
  }

  /// Goes into the field at an offset; `nil` where none is known there, or it does not hold what it refers to.
  private mutating func step(into fields: [FieldPlan], at offset: Int) -> (TypePlan, Int)? {
    guard let field = fields.filter({ $0.offset <= offset }).max(by: { $0.offset < $1.offset }) else { return nil }
    self.fields.append(field.name)
    guard field.ownership == .strong else {
      strength = .notHolding
      return nil
    }
    // Of a type that cannot be copied there is no record.
    if field.isNoncopyable { strength = .holding }
    return field.type.map { ($0, offset - field.offset) }
  }

  /// The case of the value that a place is in, from a copy of its bytes: another thread may change them.
  private static func caseNumber(of type: TypePlan, at place: HeapAddress, offset: Int) -> Int? {
    let size = type.metadata.size
    guard size > 0, size <= largestValue, offset >= 0, let memory = try? ProcessMemoryReader.current() else {
      return nil
    }
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: type.metadata.alignmentMask + 1) { bytes in
      guard memory.read(place.value &- UInt64(offset), into: bytes) == size, let base = bytes.baseAddress else {
        return nil
      }
      return type.metadata.caseNumber(of: UnsafeRawPointer(base))
    }
  }
}
