// Floor 5: the words for objects that were not freed.
import MeasurementText
import Symbolication

/// Writes what is known of objects that live on.
enum LifetimeText {
  /// Objects of one failure that are told apart; more are counted.
  private static let shownObjects = 8

  static func message(_ survivors: [ObjectLifetime.Survivor], after limit: Duration) -> String {
    let time = DurationText.format(limit)
    if survivors.count == 1, let only = survivors.first {
      return (["\(label(only)) was not deallocated within \(time): \(references(only))"] + holders([only]))
        .joined(separator: "\n")
    }
    var lines = ["\(survivors.count) objects were not deallocated within \(time)"]
    for survivor in survivors.prefix(shownObjects) { lines.append("  \(label(survivor)): \(references(survivor))") }
    if survivors.count > shownObjects { lines.append("  … \(survivors.count - shownObjects) more") }
    return (lines + holders(survivors)).joined(separator: "\n")
  }

  private static func label(_ survivor: ObjectLifetime.Survivor) -> String { TypeLabel.text(survivor.type) }

  private static func references(_ survivor: ObjectLifetime.Survivor) -> String {
    survivor.references == 1 ? "1 reference to it is left" : "\(survivor.references) references to it are left"
  }

  /// What holds them, each once: cycles, or ways from elsewhere.
  private static func holders(_ survivors: [ObjectLifetime.Survivor]) -> [String] {
    var lines: [String] = []
    for line in survivors.map(holder) where !lines.contains(line) { lines.append(line) }
    return Array(lines.prefix(shownObjects))
  }

  private static func holder(_ survivor: ObjectLifetime.Survivor) -> String {
    if let cycle = survivor.cycle { return "strong cycle: \(cycle)" }
    switch survivor.holder {
    case .way(let way): return "held by: \(way)"
    case .perhaps(let way): return "perhaps held by: \(way)"
    case .nobody:
      return "no object and no variable refers to it: a function that has not returned holds on, or a retain has no "
        + "release"
    case .notLookedFor:
      return "it is part of no strong cycle: something else holds on, such as a collection, an observer, a closure "
        + "or a running task"
    }
  }
}
