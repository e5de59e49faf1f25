// Floor 4, walk: fields and cases.
import SwiftMetadata

extension Walker {
  /// Visits the next field of a struct, tuple or object.
  @inline(__always)
  mutating func visitField(_ frame: Frame) {
    let step = forms.steps[Int(forms[frame.form].firstStep &+ frame.next)]
    if step.owner != frame.owner { beginGroup(step.owner, frame) }
    var site = Site(depth: step.owner == 0 ? frame.depth : frame.depth &+ 1, label: step.name, labelForm: .name)
    if step.name == 0 { site.labelForm = .none }
    if step.isLet { site.flags = .isLet }
    site.wrapper = step.wrapper
    site.offset = Int32(clamping: step.offset)
    site.size = UInt32(clamping: forms[step.form].size)
    site.padding = step.padding
    let address = frame.base.unsafelyUnwrapped + step.offset
    switch step.access {
    case .value: visit(address, step.form, site)
    default: visitSpecial(address, step, site)
    }
  }

  private mutating func beginGroup(_ owner: UInt32, _ frame: Frame) {
    var row = NodeRow()
    row.kind = .group
    row.depth = frame.depth
    row.declaredType = owner
    append(row, Site(depth: frame.depth))
    frames[frames.count - 1].owner = owner
  }

  private mutating func visitSpecial(_ address: UnsafeRawPointer, _ step: Step, _ site: Site) {
    var site = site
    let declared = forms[step.form].name
    switch step.access {
    case .value: visit(address, step.form, site)
    case .redacted: appendText("redacted", .redacted, site, declared: declared)
    case .unresolved: appendText("its type is not available at run time", .unreadable, site, declared: declared)
    case .noncopyable:
      appendText(
        "up to \(counted(Int(step.padding), "byte"))", .noncopyable, site, declared: names.number(of: "~Copyable"))
    case .lazy: visitLazy(address, step, site)
    case .weak:
      site.ownership = .weak
      visitWeak(address, step.form, site)
    case .unowned:
      site.ownership = .unowned
      visitUnowned(address, step.form, site)
    case .unmanaged:
      site.ownership = .unmanaged
      visitUnmanaged(address, step.form, site)
    }
  }

  /// The storage of a lazy variable is an optional of its type.
  private mutating func visitLazy(_ address: UnsafeRawPointer, _ step: Step, _ site: Site) {
    var site = site
    site.flags.insert(.isLazy)
    if forms[step.form].handling == .undecided { forms.decide(step.form, &names) }
    let form = forms[step.form]
    guard form.handling == .optional, let metadata = form.metadata else { return visit(address, step.form, site) }
    if TypeMetadata(pointer: metadata).caseNumber(of: address) == 0 { return visit(address, form.inner, site) }
    appendText("not computed", .value, site, declared: forms[form.inner].name)
  }

  // MARK: Enums

  /// Visits a value of an enum.
  mutating func visitEnumeration(
    _ address: UnsafeRawPointer, _ form: Form, _ site: Site, declared: UInt32, dynamic: UInt32
  ) {
    guard let pointer = form.metadata else { return }
    let metadata = TypeMetadata(pointer: pointer)
    let tag = metadata.caseNumber(of: address)
    guard tag < form.stepCount else {
      return appendText("case \(tag), which has no record", .unreadable, site, declared: declared, dynamic: dynamic)
    }
    let step = forms.steps[Int(form.firstStep) + tag]
    let start = texts.count
    texts.append(UInt8(ascii: "."))
    texts.append(contentsOf: names.utf8(step.name))
    var row = row(site, step.hasPayload ? .enumeration : .value, declared: declared, dynamic: dynamic)
    row.textStart = UInt32(truncatingIfNeeded: start)
    row.textLength = UInt32(truncatingIfNeeded: texts.count &- start)
    guard step.hasPayload, step.access != .unresolved else {
      append(row, site)
      return
    }
    let height = kept.count
    guard let payload = payload(at: address, metadata, form, step, &row) else {
      append(row, site)
      return
    }
    pushPayload(payload, step.form, append(row, site), site, kept: height)
  }

  /// Where the payload of a value is; `nil` where its box was shown before.
  private mutating func payload(
    at address: UnsafeRawPointer, _ metadata: TypeMetadata, _ form: Form, _ step: Step, _ row: inout NodeRow
  ) -> UnsafeRawPointer? {
    var payload = address
    if form.needsProjection {
      let bytes = ScratchBytes(copying: address, count: form.size)
      metadata.projectPayload(bytes.start)
      kept.append(bytes)
      payload = UnsafeRawPointer(bytes.start)
    }
    guard step.isIndirect else { return payload }
    guard let box = payload.load(as: UnsafeRawPointer?.self), let type = forms.plan(step.form)?.metadata else {
      return nil
    }
    let offset = Self.boxOffset(type)
    let heapRow = reach(HeapReference(box), estimated: offset &+ type.size)
    row.object = UInt32(truncatingIfNeeded: heapRow)
    if heap[heapRow].isExpanded {
      heap[heapRow].isShared = true
      row.sight = .shownAbove
      return nil
    }
    heap[heapRow].isExpanded = Int(row.depth) < options.depthLimit
    return box + offset
  }

  /// The parts of a payload: those of a tuple are the case's own.
  private mutating func pushPayload(
    _ payload: UnsafeRawPointer, _ number: UInt32, _ node: UInt32, _ site: Site, kept height: Int
  ) {
    if forms[number].handling == .undecided { forms.decide(number, &names) }
    let form = forms[number]
    var frame = fields(payload, number, form, node, site)
    if !(form.handling == .fields && form.isTuple) {
      frame.kind = .single
      frame.end = 1
    }
    frame.kept = UInt32(truncatingIfNeeded: height)
    push(frame)
  }
}
