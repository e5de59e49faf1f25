// Floor 4, walk: arrays, dictionaries, sets.
import SwiftMetadata

extension Walker {
  /// So many elements without parts are shown again where storage is shared: shorter than to say where they stand.
  private static let repeatedCount = 16

  /// Visits one of the standard library's collections.
  mutating func visitCollection(
    _ address: UnsafeRawPointer, _ number: UInt32, _ form: Form, _ site: Site, declared: UInt32, dynamic: UInt32
  ) {
    guard let collection = forms.collections[Int(number)] else { return }
    // Only what has to be put in order asks keys and members for anything.
    let found =
      form.handling == .list
      ? collection.elements(at: address, limit: options.childLimit)
      : UserCode.run { collection.elements(at: address, limit: options.childLimit) }
    let kind: Deconstruction.Kind = form.handling == .list ? .list : form.handling == .set ? .set : .dictionary
    var row = row(site, kind, declared: declared, dynamic: dynamic)
    row.count = UInt32(clamping: found.count)
    guard found.count > 0 else {
      append(row, site)
      return
    }
    if forms[form.inner].handling == .undecided { forms.decide(form.inner, &names) }
    if let storage = found.storage {
      let isBrief = hasLeaves(form.inner) && found.count <= Self.repeatedCount
      row.object = storageRow(storage, found, form, isBrief: isBrief, &row)
      if row.sight == .shownAbove {
        append(row, site)
        return
      }
    }
    let node = append(row, site)
    pushElements(found, form, node, site)
  }

  /// Whether elements are words, or optionals of such.
  private mutating func hasLeaves(_ number: UInt32) -> Bool {
    var form = forms[number]
    while form.handling == .optional {
      if forms[form.inner].handling == .undecided { forms.decide(form.inner, &names) }
      form = forms[form.inner]
    }
    return form.isLeaf
  }

  /// The row of a collection's storage; a second sight of it is noted in `row`.
  private mutating func storageRow(
    _ storage: UnsafeRawPointer, _ found: KnownElements, _ form: Form, isBrief: Bool, _ row: inout NodeRow
  ) -> UInt32 {
    let size = 32 &+ forms[form.inner].stride &* found.count
    let heapRow = reach(HeapReference(storage), estimated: size)
    if heap[heapRow].isExpanded {
      heap[heapRow].isShared = true
      // Slices of the same storage show different parts of it.
      if !isBrief, found.firstIndex == 0, heap[heapRow].elementCount == UInt32(clamping: found.count) {
        row.sight = .shownAbove
      }
    } else if Int(row.depth) < options.depthLimit {
      heap[heapRow].isExpanded = true
      heap[heapRow].elementCount = UInt32(clamping: found.count)
    }
    return UInt32(truncatingIfNeeded: heapRow)
  }

  private mutating func pushElements(_ found: KnownElements, _ form: Form, _ node: UInt32, _ site: Site) {
    let height = UInt32(truncatingIfNeeded: kept.count)
    var frame = elements(found.base, count: found.count, readable: found.readableCount, form.inner, node, site)
    frame.firstIndex = UInt32(clamping: found.firstIndex)
    frame.kept = height
    if let sorted = found.sorted {
      kept.append(sorted)
      frame.kind = .members
      if let keyType = sorted.keyType {
        let key = forms.number(of: TypePlan.of(keyType), &names)
        if forms[key].handling == .undecided { forms.decide(key, &names) }
        frame.kind = isWord(key) ? .entries : .pairs
        if frame.kind == .pairs { frame.end = frame.end &* 3 }
      }
    }
    push(frame)
  }

  /// Whether keys of a form can be labels: leaves, and enums without payloads.
  private mutating func isWord(_ number: UInt32) -> Bool {
    let form = forms[number]
    if form.isLeaf || form.handling == .anyHashable { return true }
    guard form.handling == .enumeration else { return false }
    return (0..<Int(form.stepCount)).allSatisfy { !forms.steps[Int(form.firstStep) + $0].hasPayload }
  }

  // MARK: Entries

  /// Visits the next entry of a dictionary whose keys are words.
  mutating func visitEntry(_ frame: Frame) {
    guard let sorted = kept[Int(frame.kept)] as? SortedElements, let keyType = sorted.keyType,
      let keys = sorted.keyBase
    else { return }
    let key = forms.number(of: TypePlan.of(keyType), &names)
    let start = texts.count
    // The length goes before the text, and is known after it.
    texts.append(repeating: 0, count: 4)
    let address = keys + Int(frame.next) &* forms[key].stride
    writeKey(address, key)
    let length = UInt32(truncatingIfNeeded: texts.count &- start &- 4)
    for byte in 0..<4 { texts[start + byte] = UInt8(truncatingIfNeeded: length >> UInt32(8 * byte)) }
    let site = Site(depth: frame.depth, label: UInt32(truncatingIfNeeded: start), labelForm: .key)
    if !options.redactedNames.isEmpty, options.redactedNames.contains(plainKey(address, key)) {
      return appendText("redacted", .redacted, site, declared: forms[frame.form].name)
    }
    visit(element(frame), frame.form, site)
  }

  private mutating func writeKey(_ address: UnsafeRawPointer, _ number: UInt32) {
    let form = forms[number]
    switch form.handling {
    case .anyHashable:
      let base = LabelledValues([(nil, address.assumingMemoryBound(to: AnyHashable.self).pointee.base)])
      let inner = forms.number(of: TypeMetadata(type(of: base.values.pointee)), &names)
      if forms[inner].handling == .undecided { forms.decide(inner, &names) }
      guard isWord(inner), forms[inner].handling != .anyHashable else {
        return texts.append(text: Deconstruction.brief(base.values.pointee))
      }
      withExtendedLifetime(base) {
        // The payload of the existential, in place or in its box.
        let metadata = TypeMetadata(type(of: base.values.pointee))
        let container = UnsafeRawPointer(base.values)
        let value =
          metadata.isStoredInline ? container : container.load(as: UnsafeRawPointer.self) + Self.boxOffset(metadata)
        writeKey(value, inner)
      }
    case .enumeration:
      guard let metadata = form.metadata else { return }
      let tag = TypeMetadata(pointer: metadata).caseNumber(of: address)
      texts.append(UInt8(ascii: "."))
      if tag < form.stepCount { texts.append(contentsOf: names.utf8(forms.steps[Int(form.firstStep) + tag].name)) }
    default: writeLeaf(address, number, form)
    }
  }

  /// The key as the redaction of names compares it.
  private func plainKey(_ address: UnsafeRawPointer, _ number: UInt32) -> String {
    let key = any(address, forms[number])
    return (key as? String) ?? (key as? AnyHashable)?.base as? String ?? "\(key)"
  }

  /// Visits the next line of a dictionary whose keys have parts: for each entry a group, its key, its value.
  mutating func visitPair(_ frame: Frame) {
    guard let sorted = kept[Int(frame.kept)] as? SortedElements, let keyType = sorted.keyType,
      let keys = sorted.keyBase, let values = frame.base
    else { return }
    let index = frame.next / 3
    switch frame.next % 3 {
    case 0:
      var row = NodeRow()
      row.kind = .group
      row.depth = frame.depth
      row.label = index
      row.labelForm = .index
      append(row, Site(depth: frame.depth))
    case 1:
      let key = forms.number(of: TypePlan.of(keyType), &names)
      let site = Site(depth: frame.depth &+ 1, label: names.number(of: "key"), labelForm: .name)
      visit(keys + Int(index) &* forms[key].stride, key, site)
    default:
      let site = Site(depth: frame.depth &+ 1, label: names.number(of: "value"), labelForm: .name)
      visit(values + Int(index) &* forms[frame.form].stride, frame.form, site)
    }
  }
}
