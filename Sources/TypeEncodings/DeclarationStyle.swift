/// How declarations are written.
public struct DeclarationStyle: Sendable, Equatable {
  /// Where members of records go.
  public enum Layout: Sendable, Equatable {
    /// All on one line.
    case oneLine
    /// Each on a line of its own, indented by so many spaces a level.
    case indented(by: Int)
  }

  /// How the arguments of a method are named.
  public enum ArgumentNaming: Sendable, Equatable {
    /// After the selector: `setValue:forKey:` takes `value` and `key`.
    case derived
    /// `arg1`, `arg2`.
    case numbered
  }

  /// How many levels of records with a tag show their members. A record without a tag always shows them, since nothing
  /// else tells it from another.
  public var expandedLevels = 0
  /// Where members of records go.
  public var layout = Layout.oneLine
  /// What `B` is called. Objective-C's name by default: it is what the source said.
  public var booleanName = "BOOL"
  /// Whether `c` is `BOOL`, as it was on 32-bit iOS and is on Intel Macs. Off, since every buffer would become one.
  public var readsCharAsBool = false
  /// How the arguments of a method are named.
  public var argumentNames = ArgumentNaming.derived
  /// Whether Swift's mangled class names are written as `main.Foo`.
  public var readsSwiftNames = true

  /// The defaults.
  public init() {}

  /// One line, records by tag to `expandedLevels` levels.
  public init(expandedLevels: Int, layout: Layout = .oneLine) {
    self.expandedLevels = max(0, expandedLevels)
    self.layout = layout
  }

  /// Everything that was read, on one line.
  static let everything = DeclarationStyle(expandedLevels: Int.max)
}
