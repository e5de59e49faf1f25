// Members out of the symbols of one type: accessors folded, what was seen twice kept once, extensions set apart.

/// Collects the members of a type.
struct MemberCollection {
  /// Members of one extension, or of the type itself.
  private struct Group: Hashable {
    var module: String?
    var constraints: [String]
  }

  /// What makes two members the same one: everything but accessors and symbols.
  private struct Identity: Hashable {
    var group: Group
    var member: InterfaceMember
  }

  private var places: [Identity: Int] = [:]
  private var found: [(group: Group, member: InterfaceMember)] = []

  /// Adds what a symbol says.
  ///
  /// - Parameter module: that of the extension; `nil` for the type's own module without constraints.
  mutating func add(
    _ member: InterfaceMember, accessor: String?, symbol: String, module: String?, constraints: [String]
  ) {
    let group = Group(module: module, constraints: constraints)
    var plain = member
    plain.isOverride = false
    plain.isOverridable = false
    plain.isAsync = accessor == nil && member.isAsync
    let identity = Identity(group: group, member: plain)
    let place = places[identity] ?? found.count
    if place == found.count {
      places[identity] = place
      found.append((group, member))
    }
    found[place].member.symbols.append(symbol)
    found[place].member.isOverride = found[place].member.isOverride || member.isOverride
    found[place].member.isOverridable = found[place].member.isOverridable || member.isOverridable
    found[place].member.isAsync = found[place].member.isAsync || member.isAsync
    if let accessor, !found[place].member.accessors.contains(accessor) {
      found[place].member.accessors.append(accessor)
    }
  }

  /// The type's own members, in a stable order.
  var own: [InterfaceMember] { Self.ordered(found.filter { $0.group.module == nil }.map(\.member)) }

  /// The others by extension, in a stable order.
  var extensions: [InterfaceExtension] {
    let groups = Dictionary(grouping: found.filter { $0.group.module != nil }, by: \.group)
    return groups.map { group, entries in
      InterfaceExtension(
        module: group.module ?? "", constraints: group.constraints, members: Self.ordered(entries.map(\.member)))
    }
    .sorted { ($0.module, $0.constraints.joined()) < ($1.module, $1.constraints.joined()) }
  }

  private static func ordered(_ members: [InterfaceMember]) -> [InterfaceMember] {
    let order = Dictionary(uniqueKeysWithValues: InterfaceMember.Kind.allCases.enumerated().map { ($1, $0) })
    let keyed = members.map(tidied).map { member in
      (key: (order[member.kind] ?? 0, member.isStatic ? 1 : 0, member.name, member.declaration), member: member)
    }
    return keyed.sorted { $0.key < $1.key }.map(\.member)
  }

  /// Accessors in the order of the source, and without those that follow from others.
  private static func tidied(_ member: InterfaceMember) -> InterfaceMember {
    var member = member
    var accessors = Set(member.accessors)
    if !accessors.isDisjoint(with: ["_read", "read", "unsafeAddress"]), accessors.contains("get") {
      accessors.subtract(["_read", "read", "unsafeAddress"])
    }
    accessors.remove("unsafeMutableAddress")
    if accessors.contains("set") { accessors.subtract(["_modify", "modify"]) }
    let order = ["get", "_read", "read", "unsafeAddress", "set", "_modify", "modify"]
    member.accessors = order.filter(accessors.contains)
    member.symbols.sort()
    return member
  }
}
