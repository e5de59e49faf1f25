// Floor 4, walk: takes a value apart, into the tables of a deconstruction.
import SwiftMetadata

/// One walk. Depth first, in the order of the text, with a stack of its own.
///
/// Values are read where they lie and not copied; each heap object that is met is retained until the walk ends, so that
/// what another thread lets go meanwhile stays readable.
struct Walker: ~Copyable {
  let options: DeconstructionOptions
  var names = NameTable()
  var forms: FormTable
  var heap = HeapTable()
  var nodes = PlainTable<NodeRow>()
  var texts = PlainTable<UInt8>()
  var extents = PlainTable<NodeExtent>()
  var wrappers: [UInt32: UInt32] = [:]
  var cycles = CycleLog()
  var frames = PlainTable<Frame>()
  var kept: [AnyObject] = []
  /// The places of those frames whose parts come from a type's own form: what they refer to need not be referred to by the
  /// value.
  var ownForms: [Int] = []
  var isExhausted = false
  var bytes: UInt64 = 0
  var allocations: UInt64 = 0

  init(_ options: DeconstructionOptions) {
    self.options = options
    forms = FormTable(options)
  }

  /// Takes the value at an address apart, which must live until the walk has ended.
  mutating func walk(_ address: UnsafeRawPointer, _ type: Any.Type) {
    visit(address, forms.number(of: TypePlan.of(type), &names), Site(depth: 0))
    while frames.count > 0, !isExhausted { visitParts() }
    kept = []
  }

  // MARK: The stack

  /// Visits the parts of the innermost value, up to one that has parts of its own.
  private mutating func visitParts() {
    let top = frames.count &- 1
    // Read once: to read the whole of what was written in part a moment ago is slow.
    var frame = frames[top]
    while frame.next < frame.end {
      frames[top].next = frame.next &+ 1
      visitPart(frame)
      if frames.count != top &+ 1 || isExhausted { return }
      frame.next &+= 1
      frame.owner = frames[top].owner
    }
    finish(frame)
  }

  @inline(__always)
  private mutating func visitPart(_ frame: Frame) {
    switch frame.kind {
    case .fields: visitField(frame)
    case .single: visit(frame.base.unsafelyUnwrapped, frame.form, Site(depth: frame.depth))
    case .elements:
      visit(
        element(frame), frame.form,
        Site(depth: frame.depth, label: frame.firstIndex &+ frame.next, labelForm: .index))
    case .members: visit(element(frame), frame.form, Site(depth: frame.depth))
    case .entries: visitEntry(frame)
    case .pairs: visitPair(frame)
    case .listed: visitListed(frame)
    case .captures: visitCapture(frame)
    }
  }

  @inline(__always)
  func element(_ frame: Frame) -> UnsafeRawPointer {
    frame.base.unsafelyUnwrapped + Int(frame.next) &* forms[frame.form].stride
  }

  private mutating func finish(_ frame: Frame) {
    if frame.omitted > 0 {
      var row = NodeRow()
      row.kind = .omission
      row.depth = frame.depth
      row.count = frame.omitted
      row.label = UInt32(nodes[Int(frame.node)].kind.rawValue)
      append(row, Site(depth: frame.depth))
      if isExhausted { return }
    }
    if frame.heapRow > 0 { heap[Int(frame.heapRow)].frame = HeapTable.Row.notOnPath }
    if kept.count > frame.kept { kept.removeLast(kept.count - Int(frame.kept)) }
    if frame.kind == .listed { ownForms.removeLast() }
    frames.removeLast()
  }

  /// Visits the parts of the node that was just written, unless they are too deep.
  @inline(__always)
  mutating func push(_ frame: Frame) {
    guard Int(frame.depth) <= options.depthLimit else {
      if frame.end > 0 { nodes[Int(frame.node)].flags.insert(.isCut) }
      if kept.count > frame.kept { kept.removeLast(kept.count - Int(frame.kept)) }
      return
    }
    guard frame.end > 0 || frame.omitted > 0 else { return }
    if frame.heapRow > 0 { heap[Int(frame.heapRow)].frame = UInt32(truncatingIfNeeded: frames.count) }
    if frame.kind == .listed { ownForms.append(frames.count) }
    frames.append(frame)
  }

  // MARK: Nodes

  /// Writes a node; the number of it. Past the budget an omission takes its place, and the walk ends.
  @inline(__always) @discardableResult
  mutating func append(_ row: NodeRow, _ site: Site) -> UInt32 {
    let number = UInt32(truncatingIfNeeded: nodes.count)
    // Offsets of texts have 32 bits.
    guard nodes.count < options.nodeLimit, texts.count < Int(UInt32.max) - (1 << 20) else {
      exhaust(row.depth)
      return number
    }
    nodes.append(row)
    if site.wrapper > 0 { wrappers[number] = site.wrapper }
    if options.showsSizes || options.showsOffsets {
      extents.append(NodeExtent(offset: site.offset, size: site.size, padding: site.padding))
    }
    return number
  }

  private mutating func exhaust(_ depth: UInt32) {
    guard !isExhausted else { return }
    isExhausted = true
    var row = NodeRow()
    row.kind = .omission
    row.depth = depth
    nodes.append(row)
    if options.showsSizes || options.showsOffsets { extents.append(NodeExtent()) }
  }

  /// The node of a value at a site, without its text.
  @inline(__always)
  func row(_ site: Site, _ kind: Deconstruction.Kind, declared: UInt32, dynamic: UInt32 = 0) -> NodeRow {
    var row = NodeRow()
    row.label = site.label
    row.labelForm = site.labelForm
    row.depth = site.depth
    row.kind = kind
    row.declaredType = site.declared > 0 ? site.declared : declared
    row.dynamicType = dynamic
    row.flags = site.flags
    row.ownership = site.ownership
    return row
  }

  /// Writes a node whose text begins at `start` of the texts.
  @inline(__always)
  mutating func append(_ row: NodeRow, textFrom start: Int, _ site: Site) {
    var row = row
    row.textStart = UInt32(truncatingIfNeeded: start)
    row.textLength = UInt32(truncatingIfNeeded: texts.count &- start)
    append(row, site)
  }

  /// Writes a node that is only text.
  mutating func appendText(
    _ text: String, _ kind: Deconstruction.Kind, _ site: Site, declared: UInt32, dynamic: UInt32 = 0
  ) {
    let start = texts.count
    texts.append(text: text)
    append(row(site, kind, declared: declared, dynamic: dynamic), textFrom: start, site)
  }

  // MARK: Memory

  /// The row of a heap object that a strong reference reaches; counted when it is new.
  mutating func reach(_ object: HeapReference, estimated: Int) -> Int {
    let row = heap.row(of: object)
    if !heap[row].isCounted {
      let size = object.byteCount(estimated: estimated)
      heap[row].isCounted = true
      heap[row].bytes = UInt32(clamping: size)
      if size > 0 {
        bytes &+= UInt64(size)
        allocations &+= 1
      }
    }
    return row
  }
}
