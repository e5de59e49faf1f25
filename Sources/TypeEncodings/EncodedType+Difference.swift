/// Where two types part: the first place, from the outside in and from left to right.
public struct TypeDifference: Sendable, Equatable, CustomStringConvertible {
  /// Which part differs.
  public enum Aspect: String, Sendable, Equatable {
    case qualifiers, type, count, tag, members, memberName = "member name", width, arguments
    case className = "class"
  }

  /// The way to the part, outermost first: `struct CGRect`, `member 2 (size)`, `element`.
  public let path: [String]
  /// What differs there.
  public let aspect: Aspect
  /// The part in the type that was asked.
  public let here: String
  /// The part in the other type.
  public let there: String
  /// Where the part is in the one text, in bytes.
  public let range: Range<Int>
  /// Where the part is in the other text, in bytes.
  public let otherRange: Range<Int>

  /// The difference on one line: `struct CGRect, member 2: type is double, was float`.
  public var description: String {
    (path.isEmpty ? "" : path.joined(separator: ", ") + ": ") + "\(aspect.rawValue) is \(here), was \(there)"
  }
}

extension EncodedType {
  /// The first part in which this type differs from another, `nil` where they say the same.
  ///
  /// Compares what is encoded, not how: `r^i` of clang and `^ri` of GCC are the same type, and a name that one of the
  /// two does not keep is no difference.
  public func difference(from other: EncodedType) -> TypeDifference? {
    var comparison = TypeComparison(self, other)
    return comparison.run()
  }
}

extension TypeEncoding {
  /// The first part in which this encoding differs from another; see ``EncodedType/difference(from:)``.
  public func difference(from other: TypeEncoding) -> TypeDifference? { type.difference(from: other.type) }
}

/// Walks two types side by side. What is left to compare waits in a list, so that depth costs no stack.
private struct TypeComparison {
  private enum Step {
    case root, pointee, element, result
    case atomicValue, part
    case argument(Int)
    case member(Int, name: String?, otherName: String?)
  }

  private struct Pair {
    var one: EncodedType
    var other: EncodedType
    /// The pair around this one, in `visited`.
    var parent: Int?
    var step: Step
    /// Numbers of members or arguments, to be compared after those that both have.
    var counts: (TypeDifference.Aspect, Int, Int)?
  }

  private var pending: [Pair]
  private var visited: [Pair] = []

  init(_ one: EncodedType, _ other: EncodedType) {
    pending = [Pair(one: one, other: other, parent: nil, step: .root)]
  }

  mutating func run() -> TypeDifference? {
    while let pair = pending.popLast() {
      if let (aspect, here, there) = pair.counts {
        return difference(pair, aspect, "\(here)", "\(there)")
      }
      visited.append(pair)
      if let found = compare(pair) { return found }
    }
    return nil
  }

  private mutating func compare(_ pair: Pair) -> TypeDifference? {
    if case .member(_, let name?, let otherName?) = pair.step, name != otherName {
      return difference(pair, .memberName, name, otherName)
    }
    let words = (Self.qualifiers(pair.one), Self.qualifiers(pair.other))
    if words.0 != words.1 { return difference(pair, .qualifiers, words.0, words.1) }
    switch (pair.one.kind, pair.other.kind) {
    case (.unknown, .unknown), (.function, .function): return nil
    case (.scalar(let a), .scalar(let b)) where a == b: return nil
    case (.characterPointer(let a), .characterPointer(let b)) where a == b: return nil
    case (.pointer(let a), .pointer(let b)): return push(a, b, .pointee)
    case (.atomic(let a), .atomic(let b)): return push(a, b, .atomicValue)
    case (.complex(let a), .complex(let b)): return push(a, b, .part)
    case (.object(let a), .object(let b)):
      guard a.className != nil || !a.protocols.isEmpty, b.className != nil || !b.protocols.isEmpty else { return nil }
      return a == b ? nil : difference(pair, .className)
    case (.array(let a, let element), .array(let b, let otherElement)):
      if a != b { return difference(pair, .count, Self.text(a), Self.text(b)) }
      return push(element, otherElement, .element)
    case (.vector(let a, _, let element), .vector(let b, _, let otherElement)):
      if a != b { return difference(pair, .count, "\(a) bytes", "\(b) bytes") }
      return push(element, otherElement, .element)
    case (.bitField(let a), .bitField(let b)):
      return a.width == b.width ? nil : difference(pair, .width, "\(a.width)", "\(b.width)")
    case (.block(let a), .block(let b)): return blocks(pair, a, b)
    case (.record(let a), .record(let b)) where a.isUnion == b.isUnion: return records(pair, a, b)
    default: return difference(pair, .type)
    }
  }

  /// Queues two inner types; never a difference by itself.
  private mutating func push(_ one: EncodedType, _ other: EncodedType, _ step: Step) -> TypeDifference? {
    pending.append(Pair(one: one, other: other, parent: visited.count - 1, step: step))
    return nil
  }

  /// Queues what both have, the first on top, and the difference in number behind it.
  private mutating func push(
    _ pairs: [(EncodedType, EncodedType, Step)], _ pair: Pair, _ aspect: TypeDifference.Aspect, _ counts: (Int, Int)
  ) {
    if counts.0 != counts.1 {
      var after = pair
      after.counts = (aspect, counts.0, counts.1)
      pending.append(after)
    }
    for (one, other, step) in pairs.reversed() { _ = push(one, other, step) }
  }

  private mutating func blocks(_ pair: Pair, _ a: BlockShape?, _ b: BlockShape?) -> TypeDifference? {
    guard let a, let b else { return nil }
    let arguments = (a.arguments, b.arguments)
    let both = zip(arguments.0, arguments.1).enumerated().map { ($1.0, $1.1, Step.argument($0 + 1)) }
    push([(a.result, b.result, .result)] + both, pair, .arguments, (arguments.0.count, arguments.1.count))
    return nil
  }

  private mutating func records(_ pair: Pair, _ a: RecordType, _ b: RecordType) -> TypeDifference? {
    if a.tag != b.tag { return difference(pair, .tag, a.tag ?? "none", b.tag ?? "none") }
    // Behind pointers members are left out: that is no difference.
    guard a.listsMembers, b.listsMembers else { return nil }
    let members = (a.members, b.members)
    let both = zip(members.0, members.1).enumerated().map {
      ($1.0.type, $1.1.type, Step.member($0 + 1, name: $1.0.name, otherName: $1.1.name))
    }
    push(both, pair, .members, (members.0.count, members.1.count))
    return nil
  }

  // MARK: Results

  private func difference(
    _ pair: Pair, _ aspect: TypeDifference.Aspect, _ here: String? = nil, _ there: String? = nil
  ) -> TypeDifference {
    TypeDifference(
      path: path(to: pair), aspect: aspect, here: here.map { $0.isEmpty ? "none" : $0 } ?? pair.one.declaration(),
      there: there.map { $0.isEmpty ? "none" : $0 } ?? pair.other.declaration(), range: pair.one.range,
      otherRange: pair.other.range)
  }

  private func path(to pair: Pair) -> [String] {
    var path: [String] = []
    var pair = pair
    while true {
      switch pair.step {
      case .root: break
      case .pointee: path.append("pointee")
      case .element: path.append("element")
      case .result: path.append("result")
      case .atomicValue: path.append("atomic value")
      case .part: path.append("part")
      case .argument(let number): path.append("argument \(number)")
      case .member(let number, let name, _):
        path.append("member \(number)" + (name.map { $0.isEmpty ? "" : " (\($0))" } ?? ""))
        if let parent = pair.parent { path.append(visited[parent].one.declaration()) }
      }
      guard let parent = pair.parent else { return path.reversed() }
      pair = visited[parent]
    }
  }

  private static func text(_ count: UInt64?) -> String { count.map(String.init) ?? "none" }

  private static func qualifiers(_ type: EncodedType) -> String {
    let words = type.qualifiers
    guard !words.isEmpty || type.const != nil else { return "" }
    return (TypeQualifier.leading.filter(words.contains).compactMap(\.keyword) + (type.isConst ? ["const"] : []))
      .joined(separator: " ")
  }
}
