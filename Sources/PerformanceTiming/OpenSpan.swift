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
struct OpenSpans {
  private(set) var spans: [OpenSpan] = []
  /// Names and counts of spans given up to make room.
  private(set) var abandoned = AbandonedSpans()

  /// Far more than nest or run at once within one thread, or 1/128 of the tasks of a process.
  static let capacity = 4096

  @inline(__always)
  mutating func push(_ span: OpenSpan) {
    if spans.count >= OpenSpans.capacity { makeRoom() }
    spans.append(span)
  }

  @inline(never)
  private mutating func makeRoom() {
    // Half at once, so that a program that forgets every span pays little for each.
    let given = spans.prefix(OpenSpans.capacity / 2)
    for span in given { abandoned.add(span.name) }
    spans.removeFirst(given.count)
  }

  /// Takes the span out that a `stop` of this name means: the innermost one of the owner that has the name.
  ///
  /// - Parameter id: the number of the name, asked for only if the innermost span does not have the same literal.
  @inline(__always)
  mutating func pop(owner: UInt64, key: UInt64, id: () -> NameID) -> OpenSpan? {
    if let last = spans.last, last.owner == owner, last.nameKey == key, !last.isScoped {
      spans.removeLast()
      return last
    }
    return search(owner: owner, id: id())
  }

  @inline(never)
  private mutating func search(owner: UInt64, id: NameID) -> OpenSpan? {
    guard let index = spans.lastIndex(where: { $0.owner == owner && $0.name == id && !$0.isScoped }) else { return nil }
    return spans.remove(at: index)
  }

  /// Takes a span out that is known by its number; false when it is not there.
  @inline(__always)
  @discardableResult
  mutating func remove(serial: UInt64) -> Bool {
    if spans.last?.serial == serial {
      spans.removeLast()
      return true
    }
    return searchAndRemove(serial)
  }

  @inline(never)
  private mutating func searchAndRemove(_ serial: UInt64) -> Bool {
    guard let index = spans.lastIndex(where: { $0.serial == serial }) else { return false }
    spans.remove(at: index)
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
    guard let last = spans.last else { return nil }
    if last.owner == owner { return Enclosing(path: last.path, depth: last.depth) }
    return spans.last { $0.owner == owner }.map { Enclosing(path: $0.path, depth: $0.depth) }
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
