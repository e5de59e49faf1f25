// Floor 3, in process: what a closure has captured.

/// The captured values of a closure, or the value in a box, at the address of its context.
///
/// Source: `include/swift/RemoteInspection/Records.h` (CaptureDescriptor) and `lib/IRGen/GenHeap.cpp` of the Swift
/// project: a header, the metadata of generic parameters, then the captures, each at its alignment.
package struct ClosureContext {
  /// One captured value.
  package struct Capture: Sendable {
    /// How its bytes are to be read.
    package enum Content: Sendable {
      case value(TypePlan)
      /// The address of a box, which the closure shares with others: a captured variable; or of an object of a generic class.
      case box
      /// The code and context of another closure.
      case closure
    }

    package let content: Content
    package let ownership: FieldPlan.Ownership
    package let offset: Int

    package init(content: Content, ownership: FieldPlan.Ownership, offset: Int) {
      self.content = content
      self.ownership = ownership
      self.offset = offset
    }
  }

  package let captures: [Capture]
  /// How many captures could not be read: their types belong to a generic context.
  package let unreadCount: Int

  /// `nil` where the object is no context of a closure, or one without a record of its captures.
  package init?(_ object: HeapReference) { self.init(ofType: object.metadata) }

  /// What all contexts with this metadata have captured.
  package init?(ofType metadata: TypeMetadata) {
    switch metadata.kind {
    case .heapGenericLocalVariable:
      guard let type = metadata.type(at: MetadataLayout.boxedType) else { return nil }
      let offset = metadata.pointer.load(fromByteOffset: MetadataLayout.closureFirstCapture, as: UInt32.self)
      captures = [Capture(content: .value(TypePlan.of(type)), ownership: .strong, offset: Int(offset))]
      unreadCount = 0
    case .heapLocalVariable:
      let record = metadata.pointer.load(
        fromByteOffset: MetadataLayout.closureCaptureDescriptor, as: UnsafeRawPointer?.self)
      guard let record else { return nil }
      (captures, unreadCount) = Self.read(record)
    default: return nil
    }
  }

  private static func read(_ record: UnsafeRawPointer) -> ([Capture], Int) {
    let count = Int(record.load(fromByteOffset: MetadataLayout.captureTypeCount, as: UInt32.self))
    let bindings = record.load(fromByteOffset: MetadataLayout.captureBindingCount, as: UInt32.self)
    var captures: [Capture] = []
    var offset = MetadataLayout.heapObjectHeaderSize &+ Int(bindings) &* MetadataLayout.wordSize
    for index in 0..<count {
      let reference = record + MetadataLayout.captureDescriptorHeaderSize + index * 4
      // Where one type is not known, neither is the place of what follows.
      guard let name = MangledTypeName(at: reference), let content = content(name) else {
        return (captures, count - index)
      }
      let (size, mask) = layout(content, name.ownership)
      offset = (offset &+ mask) & ~mask
      captures.append(Capture(content: content, ownership: name.ownership, offset: offset))
      offset &+= size
    }
    return (captures, 0)
  }

  private static func content(_ name: MangledTypeName) -> Capture.Content? {
    if name.isLoweredFunction { return .closure }
    if name.isBox { return .box }
    guard let type = name.resolved() else { return name.isGenericClass ? .box : nil }
    return .value(TypePlan.of(type))
  }

  private static func layout(_ content: Capture.Content, _ ownership: FieldPlan.Ownership) -> (size: Int, mask: Int) {
    let word = MetadataLayout.wordSize
    switch content {
    case .box: return (word, word - 1)
    case .closure: return (2 * word, word - 1)
    case .value(let type):
      // A weak reference has the size of a word; what it refers to is an optional class, which has it too.
      return ownership == .strong ? (type.metadata.size, type.metadata.alignmentMask) : (word, word - 1)
    }
  }
}
