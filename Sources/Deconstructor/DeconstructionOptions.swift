// Floor 4: what a caller decides.

/// How far values are taken apart, and how the text looks.
public struct DeconstructionOptions: Sendable {
  /// Whose word is taken for what a value consists of.
  public enum View: Sendable {
    /// The form a type has chosen (`CustomDeconstructible`, a registered form, `CustomReflectable`); types of the toolchain
    /// by their descriptions; all others by their stored fields. The descriptions of your own types are not asked:
    /// one that dumps its own value would end the program.
    case described
    /// Stored fields only, under the names of their storage: no code of the values' types runs.
    case raw
  }

  /// The look of the text.
  public enum Format: Sendable {
    /// A line for each part, indented.
    case indented
    /// Everything on one line.
    case oneLine
    /// JSON, each node on a line of its own; see ``Deconstruction/json``.
    case json
  }

  /// When colours are used.
  public enum Colour: Sendable {
    /// Where the text goes to a terminal, and `NO_COLOR` is not set.
    case automatic
    case always, never
  }

  /// Whose word is taken.
  public var view = View.described
  /// The deepest level that is taken apart; the value itself is level 0. 20: deeper text is read by nobody.
  public var depthLimit = 20
  /// The most elements shown of one collection; fields are never left out.
  public var childLimit = 100
  /// The most characters (Unicode scalars) shown of one string.
  public var stringLimit = 1000
  /// The most nodes in all: some 10 000 lines, half a megabyte.
  public var nodeLimit = 10_000

  /// The look of the text.
  public var format = Format.indented
  /// What the value is called in the first line.
  public var label: String?
  /// How long a line may be for a value to stand on it with all its parts, in bytes of UTF-8.
  public var width = 100
  /// Shows where objects are. The text then differs from run to run.
  public var showsAddresses = false
  /// Shows the bytes of each object, and those of each field with the padding behind it.
  public var showsSizes = false
  /// Shows how many bytes a field is from the start of its value or object.
  public var showsOffsets = false
  /// When colours are used.
  public var colour = Colour.automatic
  /// Gives the declaration of a type, which indented text then shows above the value, each type once, those of the toolchain left
  /// out; `nil` for a type without one. It costs what it costs: declarations are read out of the program's file. This module
  /// has none to give; `Introspection` has (`DeconstructionOptions.withDeclarations`).
  public var declaration: (@Sendable (Any.Type) -> String?)?

  /// Fields of these names are shown as `redacted`, whatever they hold; so are entries of dictionaries with such keys.
  public var redactedNames: Set<String> = []
  /// Values of these types are shown as `redacted`, by name with or without modules: `Password`, `shop.Password`.
  public var redactedTypes: Set<String> = []

  /// Bounded in every direction, for people to read.
  public init() {}

  /// Every budget off: everything that can be reached from a value. Memory and text are proportional to that.
  public static var unlimited: DeconstructionOptions {
    var options = DeconstructionOptions()
    options.depthLimit = .max
    options.childLimit = .max
    options.stringLimit = .max
    options.nodeLimit = .max
    return options
  }

  /// Bounded, and without running any code of the values' types.
  public static var raw: DeconstructionOptions {
    var options = DeconstructionOptions()
    options.view = .raw
    return options
  }

  /// The options with every limit brought into its range.
  var sensible: DeconstructionOptions {
    var options = self
    // Numbers of nodes and offsets of texts have 32 bits.
    let most = 500_000_000
    options.depthLimit = min(max(depthLimit, 0), most)
    options.childLimit = min(max(childLimit, 0), most)
    options.stringLimit = min(max(stringLimit, 0), most)
    options.nodeLimit = min(max(nodeLimit, 1), most)
    options.width = min(max(width, 20), 10_000)
    return options
  }
}
