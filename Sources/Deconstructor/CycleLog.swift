// Floor 4, walk: the cycles that were found.

extension Deconstruction {
  /// A way from an object back to itself.
  public struct Cycle: Sendable, Codable, Equatable {
    /// The way, from type to type over the names of the fields: `Order.customer -> Customer.latest -> Order`. Long ones are
    /// shortened in the middle.
    public var path: String
    /// How the last reference of the way, the one that closes the cycle, refers to its object; all others are strong.
    public var closedBy: Reference
    /// How many cycles were found with the same path, between other objects.
    public var count: Int

    /// A cycle of your own, for tests of what reads them.
    public init(path: String, closedBy: Reference, count: Int) {
      self.path = path
      self.closedBy = closedBy
      self.count = count
    }

    /// Whether nothing in it lets go: the objects keep each other alive until one of the references is set to `nil`.
    public var isRetainCycle: Bool { closedBy == .strong }
  }
}

/// Cycles, those with the same path counted together.
struct CycleLog {
  private(set) var cycles: [Deconstruction.Cycle] = []
  /// Cycles beyond the limit, strong and not.
  private(set) var unlistedRetainCycles = 0
  private(set) var unlistedOthers = 0
  private var numbers: [String: Int] = [:]
  private static let limit = 1000

  mutating func add(path: String, closedBy: Deconstruction.Reference) {
    let key = path + " " + closedBy.rawValue
    if let known = numbers[key] {
      cycles[known].count += 1
    } else if cycles.count < Self.limit {
      numbers[key] = cycles.count
      cycles.append(Deconstruction.Cycle(path: path, closedBy: closedBy, count: 1))
    } else if closedBy == .strong {
      unlistedRetainCycles += 1
    } else {
      unlistedOthers += 1
    }
  }
}

extension Walker {
  /// Parts of a path that are shown from either end.
  private static let shownSteps = 6

  /// Notes that the value at `site`, which is being visited, refers back to an object that is being taken apart.
  mutating func logCycle(to heapRow: Int, _ site: Site) {
    let first = Int(heap[heapRow].frame)
    let last = frames.count - 1
    guard first <= last, (ownForms.last ?? -1) < first else { return }
    var path = title(of: frames[first])
    let hidden = max(0, last - first - 2 * Self.shownSteps)
    for index in stride(from: first + 1, through: last, by: 1) {
      let place = index - first
      if hidden > 0, place > Self.shownSteps, place <= Self.shownSteps + hidden {
        if place == Self.shownSteps + 1 { path += " -> … \(hidden) more …" }
        continue
      }
      let frame = frames[index]
      let node = nodes[Int(frame.node)]
      path += link(label: node.label, node.labelForm)
      if frame.kind == .captures || frame.heapRow > 0 { path += " -> " + title(of: frame) }
    }
    path += link(label: site.label, site.labelForm) + " -> " + title(of: frames[first])
    cycles.add(path: path, closedBy: site.ownership)
  }

  private func title(of frame: Frame) -> String {
    if frame.kind == .captures { return "closure" }
    let node = nodes[Int(frame.node)]
    return names.text(node.dynamicType > 0 ? node.dynamicType : node.declaredType)
  }

  private func link(label: UInt32, _ form: NodeRow.LabelForm) -> String {
    switch form {
    case .none: return ""
    case .name: return "." + names.text(label)
    case .index: return "[\(label)]"
    case .key:
      let bytes = keyText(at: label, in: texts.rows)
      return "[" + String(decoding: bytes, as: UTF8.self) + "]"
    }
  }
}

/// The text of a key that begins with its length.
func keyText(at start: UInt32, in texts: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
  let place = Int(start)
  guard place + 4 <= texts.count else { return UnsafeBufferPointer(rebasing: texts[0..<0]) }
  var length = 0
  for byte in 0..<4 { length |= Int(texts[place + byte]) << (8 * byte) }
  let end = min(texts.count, place + 4 + length)
  return UnsafeBufferPointer(rebasing: texts[(place + 4)..<end])
}
