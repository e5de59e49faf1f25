// Floor 5, growth: why the objects that grow are not freed.
import CSwiftRuntime
import HeapInspection

/// Looks for what keeps objects of the types that grew.
enum GrowthCauses {
  /// What keeps objects of a type.
  struct Cause {
    enum Kind {
      /// They are in a strong cycle.
      case cycle
      /// A variable or another object leads to one of them.
      case holder
    }

    let type: String
    let kind: Kind
    let path: String

    /// Whether an object of one of these types is on the way, before its end.
    func leads(over labels: Set<String>) -> Bool {
      path.split(separator: " -> ").dropLast().map(String.init).contains { step in
        labels.contains(step) || labels.contains { step.hasPrefix($0 + ".") }
      }
    }
  }

  /// Types that are looked at, those with the most bytes first.
  private static let limit = 8

  /// - Parameter isQuiet: no other thread allocates. An object that another one may free meanwhile is not touched, so that cycles are
  ///   not looked for.
  static func find(_ growths: [GrowthRule.Growth], _ inspector: HeapInspector, isQuiet: Bool) -> [Cause] {
    let wanted = growths.filter { $0.kind == .class || $0.kind == .actor }.prefix(limit)
    guard !wanted.isEmpty, let classes = try? inspector.liveClasses() else { return [] }
    let end = ContinuousClock.now + HolderWay.patience
    var found: [Cause] = []
    for type in classes {
      guard let name = inspector.name(of: type), let growth = wanted.first(where: { $0.name == name }) else { continue }
      if isQuiet, let path = cycle(type) {
        if !found.contains(where: { $0.path == path }) { found.append(Cause(type: name, kind: .cycle, path: path)) }
      } else if isTypical(type, growth),
        case .way(let way) = HolderWay.find(type.sample, named: name, until: end)
      {
        found.append(Cause(type: name, kind: .holder, path: way))
      }
    }
    found.sort { ($0.path.utf8.count, $0.path) < ($1.path.utf8.count, $1.path) }
    let labels = Set(wanted.filter { $0.measure == .instances }.map { HolderWay.typeLabel($0.name) })
    return found.reduce(into: []) { kept, next in
      // Two objects of one cycle tell the same story from either end. What is held by another object that grew goes with that one, and
      // what holds it alone, such as the array it is in, is on its way.
      let isTold =
        kept.contains { steps($0.path) == steps(next.path) }
        || next.kind == .holder && next.leads(over: labels)
        || found.contains { $0.kind == .holder && $0.path.hasPrefix(next.path + " ->") }
      if !isTold { kept.append(next) }
    }
  }

  /// Whether any object of a type is likely to be one of those that grew, or is the only one: whoever holds another says nothing.
  private static func isTypical(_ type: LiveClass, _ growth: GrowthRule.Growth) -> Bool {
    guard growth.measure == .instances else { return type.instances == 1 }
    let gained = growth.instanceSteps.reduce(0) { $0 &+ $1 }
    return gained > 0 && type.instances / 2 <= gained.magnitude
  }

  private static func steps(_ path: String) -> Set<String> {
    Set(path.split(separator: ">").map { String($0.filter { $0 != " " && $0 != "-" }) })
  }

  private static func cycle(_ type: LiveClass) -> String? {
    // One whose `deinit` has begun is not to be had.
    guard let object = UnsafeRawPointer(bitPattern: UInt(type.sample.value)), csr_try_retain(object) != 0 else {
      return nil
    }
    let reference = Unmanaged<AnyObject>.fromOpaque(object)
    defer { reference.release() }
    return StrongCycle.path(from: reference.takeUnretainedValue())
  }
}
