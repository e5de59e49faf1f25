/// A span that has begun and not ended.
struct OpenSpan {
  /// Who may end it: its own number for a handle; the number of a task; 0 for a thread, in whose recorder it then lies.
  let owner: UInt64
  let nameKey: UInt64
  let name: NameID
  let path: Int32
  /// How many open spans enclose it. Of two spans of one task the deeper one is the inner one.
  let depth: Int32
  /// Whether it ends with the scope of a `measure`, and so not by a `stop`.
  let isScoped: Bool
  let serial: UInt64
  let start: SpanStart

  /// Owners that are handles: no task has a number so high.
  static let handleBit: UInt64 = 1 << 63
}

/// Which span encloses the one that is about to begin.
struct Enclosing {
  var path = SpanPaths.root
  var depth: Int32 = 0
}

/// Open spans of one thread, or of a few tasks, the innermost last. The most there can be is bounded: spans that nobody
/// ends must not fill the memory.
struct OpenSpans: ~Copyable {
  private var spans = Pile<OpenSpan>()
  /// Names and counts of spans given up to make room.
  private(set) var abandoned = AbandonedSpans()

  /// Far more than nest within one thread; of tasks there are 128 of these, so half a million spans can be open at once.
  static let capacity = 4096

  var count: Int { spans.count }

  /// A copy of all, for reports.
  var all: [OpenSpan] { spans.array }

  @inline(__always)
  mutating func push(_ span: OpenSpan) {
    if spans.count >= OpenSpans.capacity { makeRoom() }
    spans.append(span)
  }

  @inline(never)
  private mutating func makeRoom() {
    // Half at once, so that a program that forgets every span pays little for each.
    let number = OpenSpans.capacity / 2
    for index in 0..<number { abandoned.add(spans[index].name) }
    spans.removeFirst(number)
  }

  /// Takes the innermost span out if it is the owner's and has the name with this key: what a `stop` mostly means.
  @inline(__always)
  mutating func popLast(owner: UInt64, key: UInt64) -> OpenSpan? {
    let last = spans.count &- 1
    guard last >= 0, spans[last].owner == owner, spans[last].nameKey == key, !spans[last].isScoped else { return nil }
    let span = spans[last]
    spans.removeLast()
    return span
  }

  /// Takes out the innermost span of the owner that has the name.
  mutating func pop(owner: UInt64, name: NameID) -> OpenSpan? {
    guard let index = spans.lastIndex(where: { $0.owner == owner && $0.name == name && !$0.isScoped }) else {
      return nil
    }
    return spans.remove(at: index)
  }

  /// Takes a span out that is known by its number; false when it is not there.
  @inline(__always)
  @discardableResult
  mutating func remove(serial: UInt64) -> Bool {
    if spans.count > 0, spans[spans.count &- 1].serial == serial {
      spans.removeLast()
      return true
    }
    return searchAndRemove(serial)
  }

  @inline(never)
  private mutating func searchAndRemove(_ serial: UInt64) -> Bool {
    guard let index = spans.lastIndex(where: { $0.serial == serial }) else { return false }
    _ = spans.remove(at: index)
    return true
  }

  /// Gives a span up that is known by its number.
  mutating func abandon(serial: UInt64) {
    guard let index = spans.lastIndex(where: { $0.serial == serial }) else { return }
    abandoned.add(spans.remove(at: index).name)
  }

  /// The innermost span of an owner.
  @inline(__always)
  func innermost(owner: UInt64) -> Enclosing? {
    let last = spans.count &- 1
    guard last >= 0 else { return nil }
    if spans[last].owner == owner { return Enclosing(path: spans[last].path, depth: spans[last].depth) }
    return search(owner: owner)
  }

  @inline(never)
  private func search(owner: UInt64) -> Enclosing? {
    guard let index = spans.lastIndex(where: { $0.owner == owner }) else { return nil }
    return Enclosing(path: spans[index].path, depth: spans[index].depth)
  }

  /// The span that began last, if it is the owner's.
  @inline(__always)
  func last(owner: UInt64) -> Enclosing? {
    let last = spans.count &- 1
    guard last >= 0, spans[last].owner == owner else { return nil }
    return Enclosing(path: spans[last].path, depth: spans[last].depth)
  }
}

/// Spans that will never end: counted by name, within bounds.
struct AbandonedSpans {
  private(set) var counts: [NameID: UInt64] = [:]

  mutating func add(_ name: NameID, count: UInt64 = 1) {
    // Names outside the table are as many as there are numbers; those inside are bounded by the options.
    counts[name.index == nil ? .other : name, default: 0] += count
  }

  mutating func add(_ others: AbandonedSpans) {
    for (name, count) in others.counts { add(name, count: count) }
  }
}
