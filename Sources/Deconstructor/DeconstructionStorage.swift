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
    let start = Int(row.textStart)
    return UnsafeBufferPointer(rebasing: texts.rows[start..<start + Int(row.textLength)])
  }

  /// Where the nodes below the one at `index` end, looking no further than `limit`; `nil` when they go on.
  func end(ofSubtree index: Int, limit: Int) -> Int? {
    let depth = nodes[index].depth
    let bound = min(nodes.count, index + limit)
    var next = index + 1
    while next < bound {
      if nodes[next].depth <= depth { return next }
      next += 1
    }
    return bound == nodes.count ? bound : nil
  }
}
