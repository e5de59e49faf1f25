// Floor 4: the result, written and read back.

extension Deconstruction: Codable {
  private enum CodingKeys: String, CodingKey { case nodes, cycles, summary }

  /// Writes nodes, cycles and figures. The options are not part of it.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Array(nodes), forKey: .nodes)
    try values.encode(cycles, forKey: .cycles)
    try values.encode(summary, forKey: .summary)
  }

  /// Reads what was written; the text is the same again, with options of the default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    var builder = StorageBuilder()
    for node in try values.decode([Node].self, forKey: .nodes) { builder.add(node) }
    var options = DeconstructionOptions()
    options.showsAddresses = builder.hasAddresses
    options.showsOffsets = builder.hasExtents
    self.init(
      storage: builder.finish(), summary: try values.decode(Summary.self, forKey: .summary),
      cycles: try values.decode([Cycle].self, forKey: .cycles), options: options)
  }
}

/// Makes tables of nodes.
private struct StorageBuilder: ~Copyable {
  private var nodes = PlainTable<NodeRow>()
  private var texts = PlainTable<UInt8>()
  private var names = NameTable()
  private var heap = PlainTable<HeapTable.Row>()
  private var extents = PlainTable<NodeExtent>()
  private var wrappers: [UInt32: UInt32] = [:]
  /// Rows of objects and of shared storage by their numbers.
  private var objects: [Int: UInt32] = [:]
  private var shared: [Int: UInt32] = [:]
  private(set) var hasAddresses = false
  private(set) var hasExtents = false
  /// What the last node at each depth is.
  private var lastKinds: [UInt32: Deconstruction.Kind] = [:]

  init() { heap.append(HeapTable.Row(address: HeapTable.nowhere)) }

  mutating func add(_ node: Deconstruction.Node) {
    var row = NodeRow()
    row.depth = UInt32(clamping: node.depth)
    row.kind = node.kind
    addLabel(node, &row)
    row.declaredType = node.type.map { names.number(of: $0) } ?? 0
    row.dynamicType = node.dynamicType.map { names.number(of: $0) } ?? 0
    if let value = node.value {
      row.textStart = UInt32(clamping: texts.count)
      row.textLength = UInt32(clamping: value.utf8.count)
      texts.append(text: value)
    }
    row.ownership = node.reference
    if node.isConstant { row.flags.insert(.isLet) }
    if node.isLazy { row.flags.insert(.isLazy) }
    if node.isCapture { row.flags.insert(.isCapture) }
    if node.isSharedVariable { row.flags.insert(.isVariable) }
    if node.isCut { row.flags.insert(.isCut) }
    if let wrapper = node.wrapper { wrappers[UInt32(clamping: nodes.count)] = names.number(of: wrapper) }
    let mayBeUncounted = node.kind == .list || node.kind == .omission
    row.count = node.count.map { UInt32(clamping: $0) } ?? (mayBeUncounted ? NodeRow.uncounted : 0)
    if let sighting = node.sighting {
      row.sight = sighting
      row.object = heapRow(node)
    }
    var extent = NodeExtent()
    if let offset = node.offset {
      hasExtents = true
      extent = NodeExtent(
        offset: Int32(clamping: offset), size: UInt32(clamping: node.size ?? 0),
        padding: UInt32(clamping: node.padding ?? 0))
    }
    extents.append(extent)
    // What is left out is named after what it is left out of.
    if row.kind == .omission, row.depth > 0 { row.label = UInt32((lastKinds[row.depth - 1] ?? .structure).rawValue) }
    lastKinds[row.depth] = row.kind
    nodes.append(row)
  }

  private mutating func addLabel(_ node: Deconstruction.Node, _ row: inout NodeRow) {
    if let label = node.label {
      row.label = names.number(of: label)
      row.labelForm = .name
    } else if let index = node.index {
      row.label = UInt32(clamping: index)
      row.labelForm = .index
    } else if let key = node.key {
      row.label = UInt32(clamping: texts.count)
      row.labelForm = .key
      let length = UInt32(clamping: key.utf8.count)
      for byte in 0..<4 { texts.append(UInt8(truncatingIfNeeded: length >> UInt32(8 * byte))) }
      texts.append(text: key)
    }
  }

  private mutating func heapRow(_ node: Deconstruction.Node) -> UInt32 {
    let known = node.object.flatMap { objects[$0] } ?? node.storage.flatMap { shared[$0] }
    if let known { return known }
    var row = HeapTable.Row(address: HeapTable.nowhere)
    row.number = UInt32(clamping: node.object ?? node.storage ?? 0)
    row.bytes = UInt32(clamping: node.allocatedBytes ?? 0)
    if let address = node.address.flatMap({ UnsafeRawPointer(bitPattern: $0) }) {
      hasAddresses = hasAddresses || address != HeapTable.nowhere
      row.address = address
    }
    let number = UInt32(clamping: heap.count)
    heap.append(row)
    if let object = node.object { objects[object] = number }
    if let storage = node.storage { shared[storage] = number }
    return number
  }

  consuming func finish() -> DeconstructionStorage {
    DeconstructionStorage(nodes: nodes, texts: texts, names: names, heap: heap, extents: extents, wrappers: wrappers)
  }
}
