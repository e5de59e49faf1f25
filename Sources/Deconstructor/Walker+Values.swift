// Floor 4, walk: one value, whatever it is.
import SwiftMetadata

extension Walker {
  /// Visits the value at `start`: writes its node, and pushes a frame where it has parts.
  mutating func visit(_ start: UnsafeRawPointer, _ startForm: UInt32, _ site: Site) {
    var address = start
    var number = startForm
    /// How many optionals were opened, and the type of the value that was found in a protocol type.
    var opened = 0
    var dynamic: UInt32 = 0
    let declared = forms[startForm].name
    while true {
      if forms[number].handling == .undecided { forms.decide(number, &names) }
      let form = forms[number]
      switch form.handling {
      case .optional:
        guard let metadata = form.metadata, TypeMetadata(pointer: metadata).caseNumber(of: address) == 0 else {
          return appendNil(opened, site, declared: declared)
        }
        opened &+= 1
        number = form.inner
      case .opaqueExistential:
        guard let (value, type) = contents(ofExistential: address) else {
          return appendText("not initialised", .unreadable, site, declared: declared)
        }
        address = value
        number = forms.number(of: type, &names)
        dynamic = forms[number].name
      case .errorExistential:
        guard let box = address.load(as: UnsafeRawPointer?.self),
          let (value, type) = HeapReference(box).errorValue
        else { return appendText("not initialised", .unreadable, site, declared: declared) }
        _ = reach(HeapReference(box), estimated: 48 &+ type.size)
        address = value
        number = forms.number(of: type, &names)
        dynamic = forms[number].name
      case .anyHashable:
        let base = LabelledValues([(nil, address.assumingMemoryBound(to: AnyHashable.self).pointee.base)])
        kept.append(base)
        opened = 0
        address = UnsafeRawPointer(base.values)
        number = forms.number(of: TypeMetadata(Any.self), &names)
        dynamic = forms[number].name
      default:
        return visitOpened(
          address, number, form, site, declared: declared, dynamic: dynamic == declared ? 0 : dynamic)
      }
    }
  }

  private mutating func appendNil(_ opened: Int, _ site: Site, declared: UInt32) {
    let start = texts.count
    for _ in 0..<opened { texts.append("some(") }
    texts.append("nil")
    for _ in 0..<opened { texts.append(UInt8(ascii: ")")) }
    append(row(site, .value, declared: declared), textFrom: start, site)
  }

  /// The value in a container of a protocol type, and its type.
  private mutating func contents(
    ofExistential container: UnsafeRawPointer
  ) -> (UnsafeRawPointer, TypeMetadata)? {
    let found = container.load(fromByteOffset: MetadataLayout.existentialValueType, as: UnsafeRawPointer?.self)
    guard let type = found.map(TypeMetadata.init(pointer:)) else { return nil }
    if type.isStoredInline { return (container, type) }
    guard let box = container.load(as: UnsafeRawPointer?.self) else { return nil }
    let offset = Self.boxOffset(type)
    _ = reach(HeapReference(box), estimated: offset &+ type.size)
    return (box + offset, type)
  }

  /// Where the value begins in a box for values of a type.
  static func boxOffset(_ type: TypeMetadata) -> Int {
    (MetadataLayout.heapObjectHeaderSize &+ type.alignmentMask) & ~type.alignmentMask
  }

  /// Visits a value that is neither optional nor of a protocol type.
  private mutating func visitOpened(
    _ address: UnsafeRawPointer, _ number: UInt32, _ form: Form, _ site: Site, declared: UInt32, dynamic: UInt32
  ) {
    switch form.handling {
    case .fields:
      let node = append(row(site, form.isTuple ? .tuple : .structure, declared: declared, dynamic: dynamic), site)
      push(fields(address, number, form, node, site))
    case .object, .describedObject, .customObject, .mirroredObject, .objectExistential, .heapReference:
      guard let object = address.load(as: UnsafeRawPointer?.self) else {
        return appendText("nil", .value, site, declared: declared)
      }
      visitObject(HeapReference(object), number, site, declared: declared, dynamic: dynamic)
    case .enumeration: visitEnumeration(address, form, site, declared: declared, dynamic: dynamic)
    case .list, .dictionary, .set:
      visitCollection(address, number, form, site, declared: declared, dynamic: dynamic)
    case .fixedArray:
      var row = row(site, .list, declared: declared, dynamic: dynamic)
      row.count = form.stepCount
      let node = append(row, site)
      push(elements(address, count: Int(form.stepCount), readable: Int(form.stepCount), form.inner, node, site))
    case .function: visitFunction(address, size: form.size, site, declared: declared, dynamic: dynamic)
    case .custom, .mirrored:
      let value = any(address, form)
      visitOwnForm(
        of: value, form, row(site, .structure, declared: declared, dynamic: dynamic), site, heapRow: 0,
        fallback: (address, number))
    case .noncopyable:
      appendText(counted(form.size, "byte"), .noncopyable, site, declared: declared, dynamic: dynamic)
    case .redacted: appendText("redacted", .redacted, site, declared: declared, dynamic: dynamic)
    case .stripped: appendStripped(number, site, declared: declared, dynamic: dynamic)
    case .opaque, .undecided:
      appendText(
        "\(counted(form.size, "byte")) that no metadata describes", .unreadable, site, declared: declared,
        dynamic: dynamic)
    default:
      let start = texts.count
      writeLeaf(address, number, form)
      append(row(site, .value, declared: declared, dynamic: dynamic), textFrom: start, site)
    }
  }

  private mutating func appendStripped(_ number: UInt32, _ site: Site, declared: UInt32, dynamic: UInt32) {
    let module = forms.plan(number)?.module ?? "?"
    appendText(
      "\(counted(forms[number].size, "byte")); reflection metadata is disabled for module \(module)", .unreadable, site,
      declared: declared, dynamic: dynamic)
  }

  // MARK: Frames

  @inline(__always)
  func fields(_ base: UnsafeRawPointer, _ number: UInt32, _ form: Form, _ node: UInt32, _ site: Site) -> Frame {
    Frame(
      kind: .fields, base: base, end: form.stepCount, form: number, node: node, depth: site.depth &+ 1,
      kept: UInt32(truncatingIfNeeded: kept.count))
  }

  func elements(
    _ base: UnsafeRawPointer?, count: Int, readable: Int, _ form: UInt32, _ node: UInt32, _ site: Site
  ) -> Frame {
    let shown = min(readable, options.childLimit)
    return Frame(
      kind: .elements, base: base, end: UInt32(clamping: base == nil ? 0 : shown), form: form, node: node,
      depth: site.depth &+ 1, kept: UInt32(truncatingIfNeeded: kept.count),
      omitted: UInt32(clamping: max(0, count &- shown)))
  }

  /// A copy of a value, for code that takes no less.
  func any(_ address: UnsafeRawPointer, _ form: Form) -> Any {
    guard let metadata = form.metadata else { return () }
    func load<T>(_: T.Type) -> Any { address.assumingMemoryBound(to: T.self).pointee }
    return _openExistential(TypeMetadata(pointer: metadata).type, do: load)
  }
}
