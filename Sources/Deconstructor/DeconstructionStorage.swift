// Floor 4, storage: what a walk leaves behind.

/// The tables of a finished deconstruction. Nothing in them refers to what was taken apart.
final class DeconstructionStorage: @unchecked Sendable {
  // Unchecked because the tables are memory of their own: all are written before the object is made, and none after.
  let nodes: PlainTable<NodeRow>
  let texts: PlainTable<UInt8>
  let names: NameTable
  let heap: PlainTable<HeapTable.Row>
  let extents: PlainTable<NodeExtent>
  let wrappers: [UInt32: UInt32]

  init(
    nodes: consuming PlainTable<NodeRow>, texts: consuming PlainTable<UInt8>, names: consuming NameTable,
    heap: consuming PlainTable<HeapTable.Row>, extents: consuming PlainTable<NodeExtent>,
    wrappers: [UInt32: UInt32]
  ) {
    self.nodes = nodes
    self.texts = texts
    self.names = names
    self.heap = heap
    self.extents = extents
    self.wrappers = wrappers
  }

  @inline(__always)
  func text(of row: NodeRow) -> UnsafeBufferPointer<UInt8> {
    guard row.textLength > 0, let base = texts.rows.baseAddress else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: base + Int(row.textStart), count: Int(row.textLength))
  }
}
