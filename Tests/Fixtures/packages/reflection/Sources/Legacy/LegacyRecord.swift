/// A class of a module without reflection metadata, for subclasses in modules with it.
open class LegacyRecord {
  var number = 7
  var title = "legacy"

  /// A record as it was.
  public init() {}
}
