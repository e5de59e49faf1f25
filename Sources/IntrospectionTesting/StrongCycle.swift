// Floor 5: what keeps an object alive from within.
import Deconstructor
import SwiftMetadata

/// Looks for the retain cycle that an object is part of.
enum StrongCycle {
  /// Objects beyond this many nodes are not looked at: some 10 ms, and cycles that tests are after are short.
  private static let nodeLimit = 50_000

  /// The shortest strong cycle through an object of this type.
  static func path(from object: AnyObject) -> String? {
    var options = DeconstructionOptions.raw
    options.depthLimit = .max
    options.childLimit = .max
    options.stringLimit = 0
    options.nodeLimit = nodeLimit
    let paths = Deconstruction(of: object, options: options).cycles.filter(\.isRetainCycle).map(\.path)
    let own = RuntimeTypeName.readable(RuntimeTypeName.qualified(type(of: object)))
    // One that it leads to and is no part of does not keep it alive.
    return paths.filter { $0.hasPrefix(own + ".") || $0.contains(" \(own).") }
      .min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }
}
