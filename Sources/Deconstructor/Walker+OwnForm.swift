// Floor 4, walk: values that say themselves what they consist of.
import SwiftMetadata

extension Walker {
  /// Writes the node of a value with a form of its own, and visits the parts it shows.
  mutating func visitOwnForm(
    of value: Any, _ form: Form, _ row: NodeRow, _ site: Site, heapRow: UInt32,
    fallback: (address: UnsafeRawPointer, form: UInt32)
  ) {
    var row = row
    switch form.handling {
    case .custom, .customObject:
      switch UserCode.run({ RegisteredForms.form(of: value) })?.content {
      case .text(let text): writeForm(text, row, site)
      case .parts(let parts): visitParts(parts, total: parts.count, row, site, heapRow)
      // Taken back by another thread meanwhile.
      case nil: writeForm("a form that was removed", row, site)
      }
    default:
      let limit = options.childLimit
      let (style, parts, hasMore) = UserCode.run { Self.mirrored(value, limit: limit) }
      switch style {
      case .collection: row.kind = .list
      case .tuple where row.kind == .structure: row.kind = .tuple
      default: break
      }
      if row.kind == .list { row.count = hasMore ? NodeRow.uncounted : UInt32(clamping: parts.count) }
      visitParts(parts, total: hasMore ? nil : parts.count, row, site, heapRow)
    }
  }

  private mutating func writeForm(_ text: String, _ row: NodeRow, _ site: Site) {
    let start = texts.count
    writeLine(text)
    var row = row
    if row.kind == .structure { row.kind = .value }
    append(row, textFrom: start, site)
  }

  /// What the mirror of a value shows, parts of the mirrors above it included.
  private static func mirrored(
    _ value: Any, limit: Int
  ) -> (style: Mirror.DisplayStyle?, parts: [(label: String?, value: Any)], hasMore: Bool) {
    let mirror = Mirror(reflecting: value)
    var parts: [(label: String?, value: Any)] = []
    var next: Mirror? = mirror
    while let current = next {
      // One by one: the collection may be lazy, and have no end.
      for child in current.children {
        if parts.count == limit { return (mirror.displayStyle, parts, true) }
        parts.append((child.label, child.value))
      }
      next = current.superclassMirror
    }
    return (mirror.displayStyle, parts, false)
  }

  private mutating func visitParts(
    _ parts: [(label: String?, value: Any)], total: Int?, _ row: NodeRow, _ site: Site, _ heapRow: UInt32
  ) {
    let node = append(row, site)
    let height = UInt32(truncatingIfNeeded: kept.count)
    kept.append(LabelledValues(parts))
    push(
      Frame(
        kind: .listed, end: UInt32(clamping: min(parts.count, options.childLimit)), node: node,
        depth: site.depth &+ 1, heapRow: heapRow, kept: height,
        omitted: total.map { UInt32(clamping: max(0, $0 - min(parts.count, options.childLimit))) } ?? NodeRow.uncounted)
    )
  }

  /// Visits the next part of such a value.
  mutating func visitListed(_ frame: Frame) {
    guard let list = kept[Int(frame.kept)] as? LabelledValues else { return }
    let index = Int(frame.next)
    var site = Site(depth: frame.depth)
    if let label = list.labels[index] {
      site.label = names.number(of: label)
      site.labelForm = site.label == 0 ? .none : .name
    } else if nodes[Int(frame.node)].kind == .list {
      site.label = frame.next
      site.labelForm = .index
    }
    // The declared type of a part that a mirror gives is not known: its own stands for it.
    let metadata = TypeMetadata(type(of: list.values[index]))
    let number = forms.number(of: metadata, &names)
    if let label = list.labels[index], options.redactedNames.contains(label) {
      return appendText("redacted", .redacted, site, declared: forms[number].name)
    }
    site.declared = forms[number].name
    visit(UnsafeRawPointer(list.values + index), forms.number(of: TypeMetadata(Any.self), &names), site)
  }
}
