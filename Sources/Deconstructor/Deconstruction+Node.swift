// Floor 4: the result, part by part.

extension Deconstruction {
  /// One part of a value.
  public struct Node: Sendable, Equatable {
    /// How many nodes are around it; 0 for the value itself.
    public var depth: Int
    /// What it is.
    public var kind: Kind
    /// The name of a field, as declared.
    public var label: String?
    /// The place of an element.
    public var index: Int?
    /// The key of an entry, as text.
    public var key: String?
    /// The declared type. Of a group: the class whose fields follow.
    public var type: String?
    /// The type of the value where it is not the declared one. Always there for objects.
    public var dynamicType: String?
    /// The value as text: of leaves, the case of an enum, why something could not be read.
    public var value: String?
    /// How a field refers to its object.
    public var reference = Reference.strong
    /// Whether it is a `let`.
    public var isConstant = false
    /// Whether it is the storage of a `lazy` variable, which reading has not computed.
    public var isLazy = false
    /// Whether it is captured by a closure.
    public var isCapture = false
    /// Whether it is a captured variable, shared with others.
    public var isSharedVariable = false
    /// Whether its parts are left out because they are too deep.
    public var isCut = false
    /// The property wrapper of the field.
    public var wrapper: String?
    /// The number of an object.
    public var object: Int?
    /// The number of storage that more than one place shares.
    public var storage: Int?
    /// Where the parts of an object or of shared storage are.
    public var sighting: Sighting?
    /// How many elements a collection has, how many values a closure has captured; what an omission leaves out.
    /// `nil` where nobody has counted: of a mirror that makes its parts one by one, more than are shown.
    public var count: Int?
    /// Bytes that the allocator has set aside for the object or storage.
    public var allocatedBytes: Int?
    /// The address of the object, where the options ask for it.
    public var address: UInt?
    /// Bytes from the start of the value or object around it; where the options ask for offsets or sizes.
    public var offset: Int?
    /// Bytes of the field itself.
    public var size: Int?
    /// Bytes behind the field that hold nothing.
    public var padding: Int?

    init(depth: Int, kind: Kind) {
      self.depth = depth
      self.kind = kind
    }
  }

  /// All nodes, each before its parts.
  public var nodes: Nodes { Nodes(storage: storage, options: options) }

  /// The nodes of a deconstruction; each is made when it is asked for.
  public struct Nodes: RandomAccessCollection, Sendable {
    let storage: DeconstructionStorage
    let options: DeconstructionOptions

    /// The value itself.
    public var startIndex: Int { 0 }
    /// Behind the last node.
    public var endIndex: Int { storage.nodes.count }

    /// A node by its number.
    public subscript(position: Int) -> Node { storage.node(position, showsAddress: options.showsAddresses) }
  }
}

extension DeconstructionStorage {
  func node(_ index: Int, showsAddress: Bool) -> Deconstruction.Node {
    let row = nodes[index]
    var node = Deconstruction.Node(depth: Int(row.depth), kind: row.kind)
    switch row.labelForm {
    case .none: break
    case .name: node.label = names.text(row.label)
    case .index: node.index = Int(row.label)
    case .key: node.key = String(decoding: keyText(at: row.label, in: texts.rows), as: UTF8.self)
    }
    if row.declaredType > 0 { node.type = names.text(row.declaredType) }
    if row.dynamicType > 0 { node.dynamicType = names.text(row.dynamicType) }
    if row.textLength > 0 { node.value = String(decoding: text(of: row), as: UTF8.self) }
    node.reference = row.ownership
    node.isConstant = row.flags.contains(.isLet)
    node.isLazy = row.flags.contains(.isLazy)
    node.isCapture = row.flags.contains(.isCapture)
    node.isSharedVariable = row.flags.contains(.isVariable)
    node.isCut = row.flags.contains(.isCut)
    node.wrapper = wrappers[UInt32(index)].map { names.text($0) }
    switch row.kind {
    case .list, .dictionary, .set, .closure, .omission:
      node.count = row.count == NodeRow.uncounted ? nil : Int(row.count)
    default: break
    }
    if row.object > 0 { addReference(row, &node, showsAddress: showsAddress) }
    if index < extents.count, extents[index].offset >= 0 {
      node.offset = Int(extents[index].offset)
      node.size = Int(extents[index].size)
      node.padding = Int(extents[index].padding)
    }
    return node
  }

  private func addReference(_ row: NodeRow, _ node: inout Deconstruction.Node, showsAddress: Bool) {
    let heapRow = heap[Int(row.object)]
    node.sighting = row.sight
    if row.kind == .object { node.object = Int(heapRow.number) }
    if row.kind != .object, heapRow.number > 0 { node.storage = Int(heapRow.number) }
    if heapRow.bytes > 0 { node.allocatedBytes = Int(heapRow.bytes) }
    if showsAddress { node.address = UInt(bitPattern: heapRow.address) }
  }
}
