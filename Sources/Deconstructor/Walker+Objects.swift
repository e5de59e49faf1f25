// Floor 4, walk: references, and what they refer to.
import SwiftMetadata

extension Walker {
  // MARK: References that are not followed

  mutating func visitWeak(_ address: UnsafeRawPointer, _ form: UInt32, _ site: Site) {
    guard let object = HeapReference.loadRetained(weak: address) else {
      return appendText("nil", .value, site, declared: forms[form].name)
    }
    visitReferenced(object, form, site)
    object.release()
  }

  mutating func visitUnowned(_ address: UnsafeRawPointer, _ form: UInt32, _ site: Site) {
    guard let pointer = address.load(as: UnsafeRawPointer?.self) else {
      return appendText("nil", .value, site, declared: forms[form].name)
    }
    let object = HeapReference(pointer)
    // What the walk has met already is alive, even if it is being deinitialised right now.
    if heap.contains(object) { return visitReferenced(object, form, site) }
    guard object.tryRetain() else { return appendText("deallocated", .value, site, declared: forms[form].name) }
    visitReferenced(object, form, site)
    object.release()
  }

  mutating func visitUnmanaged(_ address: UnsafeRawPointer, _ form: UInt32, _ site: Site) {
    let pointer = address.load(as: UnsafeRawPointer?.self)
    let text =
      pointer == nil ? "nil" : "not read: it may be gone" + (options.showsAddresses ? " (\(hexadecimal(pointer)))" : "")
    appendText(text, .value, site, declared: forms[form].name)
  }

  private mutating func visitReferenced(_ object: HeapReference, _ form: UInt32, _ site: Site) {
    // The declared type of a weak reference is an optional; what matters here is the class inside.
    var number = form
    while true {
      if forms[number].handling == .undecided { forms.decide(number, &names) }
      guard forms[number].handling == .optional else { break }
      number = forms[number].inner
    }
    visitObject(object, number, site, declared: forms[form].name, dynamic: 0)
  }

  func hexadecimal(_ pointer: UnsafeRawPointer?) -> String {
    "0x" + String(UInt(bitPattern: pointer), radix: 16)
  }

  // MARK: Objects

  /// Visits what a reference of the type `number` refers to.
  mutating func visitObject(
    _ object: HeapReference, _ number: UInt32, _ site: Site, declared: UInt32, dynamic: UInt32
  ) {
    let metadata = object.metadata
    guard metadata.kind == .class else { return visitHeapReference(object, site, declared: declared) }
    let own = forms.number(of: metadata, &names)
    if forms[own].handling == .undecided { forms.decide(own, &names) }
    let form = forms[own]
    let isSame = form.name == forms[number].name && dynamic == 0
    if form.handling == .redacted {
      return appendText("redacted", .redacted, site, declared: declared, dynamic: isSame ? 0 : form.name)
    }
    if form.handling == .describedObject {
      let start = texts.count
      writeDescription(of: instance(object))
      return append(row(site, .value, declared: declared, dynamic: isSame ? 0 : form.name), textFrom: start, site)
    }
    var row = row(site, .object, declared: declared, dynamic: form.name)
    let heapRow =
      site.ownership == .strong ? reach(object, estimated: metadata.instanceSize) : heap.row(of: object)
    _ = heap.number(ofRow: heapRow)
    row.object = UInt32(truncatingIfNeeded: heapRow)
    row.sight = sight(of: heapRow, site)
    if row.sight == .cycle { logCycle(to: heapRow, site) }
    guard row.sight == .first else {
      append(row, site)
      return
    }
    heap[heapRow].isExpanded = true
    expand(object, own, form, row, site, heapRow)
  }

  private func sight(of heapRow: Int, _ site: Site) -> Deconstruction.Sighting {
    let found = heap[heapRow]
    if found.frame != HeapTable.Row.notOnPath { return .cycle }
    if found.isExpanded { return .shownAbove }
    if site.ownership != .strong { return .notFollowed }
    return Int(site.depth) >= options.depthLimit ? .tooDeep : .first
  }

  private mutating func expand(
    _ object: HeapReference, _ number: UInt32, _ form: Form, _ row: NodeRow, _ site: Site, _ heapRow: Int
  ) {
    let heapNumber = UInt32(truncatingIfNeeded: heapRow)
    if form.handling == .customObject || form.handling == .mirroredObject {
      return visitOwnForm(
        of: instance(object), form, row, site, heapRow: heapNumber, fallback: (object.address, number))
    }
    let node = append(row, site)
    var frame = fields(object.address, number, form, node, site)
    frame.heapRow = heapNumber
    if form.isStripped, let plan = forms.plan(number) {
      for module in plan.strippedModules {
        appendText(
          "reflection metadata is disabled for module \(module)", .unreadable, Site(depth: site.depth + 1), declared: 0)
      }
    }
    push(frame)
  }

  private func instance(_ object: HeapReference) -> Any {
    Unmanaged<AnyObject>.fromOpaque(object.address).takeUnretainedValue() as Any
  }

  // MARK: Heap objects that are no instances

  private mutating func visitHeapReference(_ object: HeapReference, _ site: Site, declared: UInt32) {
    switch object.metadata.kind {
    case .task, .job: appendText("a task", .value, site, declared: declared)
    case .heapLocalVariable, .heapGenericLocalVariable: visitBox(object, site, declared: declared)
    default: appendText("an object that no metadata describes", .unreadable, site, declared: declared)
    }
  }

  private mutating func visitBox(_ object: HeapReference, _ site: Site, declared: UInt32) {
    guard let context = ClosureContext(object), let capture = context.captures.first else {
      return appendText("a box", .value, site, declared: declared)
    }
    visitCapture(capture, in: object, site)
  }

  // MARK: Closures

  /// Visits a function: with a context it is a closure, or a method of the object that the context is.
  mutating func visitFunction(
    _ address: UnsafeRawPointer, size: Int, _ site: Site, declared: UInt32, dynamic: UInt32
  ) {
    // Two words, code and context; a function of C has the first alone.
    guard size >= 2 * MetadataLayout.wordSize,
      let found = address.load(fromByteOffset: MetadataLayout.wordSize, as: UnsafeRawPointer?.self),
      let (object, context) = innermostContext(HeapReference(found))
    else { return appendText("function", .value, site, declared: declared, dynamic: dynamic) }
    var row = row(site, .closure, declared: declared, dynamic: dynamic)
    row.textStart = UInt32(truncatingIfNeeded: texts.count)
    texts.append("closure")
    row.textLength = UInt32(truncatingIfNeeded: texts.count) &- row.textStart
    let heapRow = reach(object, estimated: 0)
    // What is captured alone, and counts references, is the context itself.
    if object.metadata.kind == .class || object.metadata.kind == .errorObject {
      let capture = ClosureContext.Capture(content: .box, ownership: .strong, offset: 0)
      row.count = 1
      let node = append(row, site)
      return pushCaptures(CaptureList(object, [capture], isObject: true), node, site, 0)
    }
    row.object = UInt32(truncatingIfNeeded: heapRow)
    row.count = UInt32(clamping: context?.captures.count ?? 0)
    if heap[heapRow].isExpanded {
      heap[heapRow].isShared = true
      // A closure that is reached from what it has captured itself.
      row.sight = heap[heapRow].frame == HeapTable.Row.notOnPath ? .shownAbove : .cycle
      if row.sight == .cycle { logCycle(to: heapRow, site) }
      append(row, site)
      return
    }
    heap[heapRow].isExpanded = Int(site.depth) < options.depthLimit
    let node = append(row, site)
    guard let context else { return }
    pushCaptures(
      CaptureList(object, context.captures, isObject: false), node, site, context.unreadCount,
      heapRow: UInt32(truncatingIfNeeded: heapRow))
  }

  /// The context that holds the captures. Where a closure passes to a place with another representation of its arguments, the
  /// compiler puts a closure around it that has captured just that. `nil` where the innermost has no context.
  private mutating func innermostContext(_ first: HeapReference) -> (HeapReference, ClosureContext?)? {
    var object = first
    var context = ClosureContext(object)
    for _ in 0..<16 {
      guard let found = context, found.captures.count == 1, found.unreadCount == 0, let only = found.captures.first
      else { break }
      switch only.content {
      case .closure: break
      case .value(let plan): if case .function = plan.shape { break } else { return (object, context) }
      case .box: return (object, context)
      }
      let inner = (object.address + only.offset).load(
        fromByteOffset: MetadataLayout.wordSize, as: UnsafeRawPointer?.self)
      _ = reach(object, estimated: 0)
      guard let inner else { return nil }
      object = HeapReference(inner)
      context = ClosureContext(object)
    }
    return (object, context)
  }

  private mutating func pushCaptures(
    _ list: CaptureList, _ node: UInt32, _ site: Site, _ unread: Int, heapRow: UInt32 = 0
  ) {
    let height = UInt32(truncatingIfNeeded: kept.count)
    kept.append(list)
    push(
      Frame(
        kind: .captures, base: list.object.address, end: UInt32(clamping: list.captures.count), node: node,
        depth: site.depth &+ 1, heapRow: heapRow, kept: height, omitted: UInt32(clamping: unread)))
  }

  /// Visits the next captured value of a closure.
  mutating func visitCapture(_ frame: Frame) {
    guard let list = kept[Int(frame.kept)] as? CaptureList else { return }
    let site = Site(depth: frame.depth, flags: .isCapture)
    if list.isObject {
      if let (value, type) = list.object.errorValue {
        var site = site
        site.declared = names.number(of: "any Error")
        return visit(value, forms.number(of: type, &names), site)
      }
      let number = forms.number(of: list.object.metadata, &names)
      return visitObject(list.object, number, site, declared: forms[number].name, dynamic: 0)
    }
    visitCapture(list.captures[Int(frame.next)], in: list.object, site)
  }

  private mutating func visitCapture(_ capture: ClosureContext.Capture, in object: HeapReference, _ site: Site) {
    var site = site
    let address = object.address + capture.offset
    switch capture.content {
    case .closure:
      let function = forms.number(of: TypeMetadata((() -> Void).self), &names)
      site.declared = names.number(of: "function")
      // The first page holds no code: the empty cases of optionals.
      if address.load(as: UInt.self) < 4096 {
        return appendText("nil", .value, site, declared: forms[function].name)
      }
      visitFunction(
        address, size: forms[function].size, site, declared: forms[function].name, dynamic: 0)
    case .box:
      guard let pointer = address.load(as: UnsafeRawPointer?.self) else { return }
      let box = HeapReference(pointer)
      // Captured as an opaque reference: a box of a variable, or an object whose class the compiler did not write down.
      if box.metadata.kind == .class {
        let number = forms.number(of: box.metadata, &names)
        return visitObject(box, number, site, declared: forms[number].name, dynamic: 0)
      }
      _ = reach(box, estimated: 0)
      guard let inner = ClosureContext(box)?.captures.first, case .value = inner.content else {
        return appendText("a variable of unknown type", .unreadable, site, declared: 0)
      }
      site.flags.insert(.isVariable)
      visitCapture(inner, in: box, site)
    case .value(let plan):
      let form = forms.number(of: plan, &names)
      site.ownership = Deconstruction.Reference(capture.ownership)
      switch capture.ownership {
      case .strong: visit(address, form, site)
      case .weak: visitWeak(address, form, site)
      case .unowned: visitUnowned(address, form, site)
      case .unmanaged: visitUnmanaged(address, form, site)
      }
    }
  }
}

/// The captures of one closure, while they are visited.
private final class CaptureList {
  let object: HeapReference
  let captures: [ClosureContext.Capture]
  /// Whether the context is itself the one thing captured: the object of a method.
  let isObject: Bool

  init(_ object: HeapReference, _ captures: [ClosureContext.Capture], isObject: Bool) {
    self.object = object
    self.captures = captures
    self.isObject = isObject
  }
}

extension Deconstruction.Reference {
  fileprivate init(_ ownership: FieldPlan.Ownership) { self.init(number: ownership.rawValue) }
}
