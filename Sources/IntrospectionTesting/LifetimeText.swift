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

  /// What holds them: cycles, each once; or that no cycle does.
  private static func holders(_ survivors: [ObjectLifetime.Survivor]) -> [String] {
    var paths: [String] = []
    for path in survivors.compactMap(\.cycle) where !paths.contains(path) { paths.append(path) }
    guard !paths.isEmpty else {
      return [
        "no strong cycle is reachable from \(survivors.count == 1 ? "it" : "them"): something else holds on, such as a "
          + "collection, an observer, a closure or a running task"
      ]
    }
    return paths.prefix(shownObjects).map { "strong cycle: \($0)" }
  }
}
