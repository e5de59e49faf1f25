// Names that Swift mangled before version 4, and still does for the Objective-C runtime: `_TtC4main3Foo`.
//
// The runtime's demangler leaves them as they are. The grammar: an entity's kind comes first, then its context, then its
// name; what has been named before is `S_`, `S0_`, …; lists end in `_`.

/// Reads one old name. Everything is bounded: the input by the caller, nesting and output here.
struct OldSwiftMangling {
  /// A mistake; what is wrong in a name does not matter to anyone.
  struct Malformed: Error {}

  private let bytes: [UInt8]
  private var position: Int
  private var substitutions: [String] = []
  private var depth = 0

  private static let maximumDepth = 64
  private static let maximumOutput = 1 << 16

  /// The text of a name that begins with `_T`; `nil` where it is none.
  static func demangled(_ name: String) -> String? {
    guard name.hasPrefix("_T"), name.utf8.count <= 4096 else { return nil }
    var reader = OldSwiftMangling(name)
    guard let text = try? reader.symbol() else { return nil }
    guard reader.position < reader.bytes.count else { return text }
    return text + " with unmangled suffix \"" + String(decoding: reader.bytes[reader.position...], as: UTF8.self) + "\""
  }

  private init(_ name: String) {
    bytes = Array(name.utf8)
    position = 2
  }

  // MARK: Bytes

  private var current: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private mutating func take(_ letter: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: letter) else { return false }
    position += 1
    return true
  }

  private mutating func number() throws(Malformed) -> Int {
    let start = position
    var value = 0
    while current.isDigit, position - start < 6 {
      value = value * 10 + Int(current & 15)
      position += 1
    }
    guard position > start else { throw Malformed() }
    return value
  }

  /// An index: `_` is 0, `0_` is 1.
  private mutating func index() throws(Malformed) -> Int {
    if take("_") { return 0 }
    let value = try number() + 1
    guard take("_") else { throw Malformed() }
    return value
  }

  /// Runs a step one level deeper.
  private mutating func nested(_ step: (inout OldSwiftMangling) throws(Malformed) -> String) throws(Malformed) -> String
  {
    guard depth < Self.maximumDepth else { throw Malformed() }
    depth += 1
    defer { depth -= 1 }
    let text = try step(&self)
    guard text.utf8.count <= Self.maximumOutput else { throw Malformed() }
    return text
  }

  private mutating func remember(_ text: String) -> String {
    substitutions.append(text)
    return text
  }

  // MARK: Symbols

  private mutating func symbol() throws(Malformed) -> String {
    if take("t") { return try type() }
    if take("Z") {
      guard take("F") || take("v") else { throw Malformed() }
      return "static " + (try entity())
    }
    if take("F") || take("v") { return try entity() }
    if take("M") { return try metadata() }
    if take("W") { return try witness() }
    if take("I") {
      // The initial value of a default argument stands behind the function it belongs to.
      guard take("F") else { throw Malformed() }
      let function = try entity()
      guard take("A") else { throw Malformed() }
      return "default argument \(try index()) of " + function
    }
    guard take("T") else { throw Malformed() }
    if take("o"), current == UInt8(ascii: "F") || current == UInt8(ascii: "Z") { return "@objc " + (try symbol()) }
    guard take("W") else { throw Malformed() }
    let conformance = try conformance()
    guard take("F") else { throw Malformed() }
    return "protocol witness for \(try entity()) in conformance \(conformance)"
  }

  private mutating func metadata() throws(Malformed) -> String {
    for (letter, what) in Self.metadataKinds where take(letter) { return what + " for " + (try type()) }
    if take("p") { return "protocol descriptor for " + (try type()) }
    return "type metadata for " + (try type())
  }

  private static let metadataKinds: [(Unicode.Scalar, String)] = [
    ("P", "generic type metadata pattern"), ("m", "metaclass"), ("a", "type metadata accessor"),
    ("n", "nominal type descriptor"), ("f", "full type metadata"), ("L", "lazy cache variable for type metadata"),
  ]

  private mutating func witness() throws(Malformed) -> String {
    if take("P") { return "protocol witness table for " + (try conformance()) }
    guard take("v") else { throw Malformed() }
    let isDirect = take("d")
    guard isDirect || take("i") else { throw Malformed() }
    guard take("v") else { throw Malformed() }
    return (isDirect ? "direct" : "indirect") + " field offset for " + (try entity())
  }

  private mutating func conformance() throws(Malformed) -> String {
    let conforming = try type()
    let requirement = try protocolName()
    return "\(conforming) : \(requirement) in \(try context())"
  }

  /// A function, an accessor, an initializer: context, kind, name, type.
  private mutating func entity() throws(Malformed) -> String {
    let isStatic = take("Z")
    let isInClass = current == UInt8(ascii: "C")
    let owner = try context()
    if let local = try localEntity(in: owner) { return local }
    let path = (isStatic ? "static " : "") + owner + "."
    if take("D") { return path + "__deallocating_deinit" }
    if take("d") { return path + "deinit" }
    if take("C") { return path + (isInClass ? "__allocating_init" : "init") + (try type()) }
    if take("c") { return path + "init" + (try type()) }
    for (letter, accessor) in Self.accessors where take(letter) {
      let name = try declarationName()
      return path + name + accessor + " : " + (try type())
    }
    let name = try declarationName()
    let isFunction = "Ffu".utf8.contains(current)
    return path + name + (isFunction ? "" : " : ") + (try type())
  }

  /// A function or a closure inside another.
  private mutating func localEntity(in owner: String) throws(Malformed) -> String? {
    if take("L") {
      let number = try index()
      return "\(try identifier()) #\(number + 1) \(try type()) in \(owner)"
    }
    let isImplicit = current == UInt8(ascii: "u")
    guard isImplicit || current == UInt8(ascii: "U") else { return nil }
    position += 1
    let number = try index()
    return (isImplicit ? "implicit closure" : "closure") + " #\(number + 1) \(try type()) in \(owner)"
  }

  private static let accessors: [(Unicode.Scalar, String)] = [
    ("g", ".getter"), ("s", ".setter"), ("m", ".materializeForSet"), ("w", ".willset"), ("W", ".didset"),
  ]

  // MARK: Names

  private mutating func identifier() throws(Malformed) -> String {
    guard current != UInt8(ascii: "X") else { throw Malformed() }
    let isOperator = take("o")
    let fixity: String
    if isOperator {
      fixity = take("p") ? " prefix" : take("P") ? " postfix" : take("i") ? " infix" : ""
      guard !fixity.isEmpty else { throw Malformed() }
    } else {
      fixity = ""
    }
    let length = try number()
    guard length > 0, length <= bytes.count - position else { throw Malformed() }
    let name = bytes[position..<position + length]
    position += length
    if isOperator { return String(decoding: name.map(Self.operatorCharacter), as: UTF8.self) + fixity }
    return String(decoding: name, as: UTF8.self)
  }

  /// Operators are spelled in letters: `p` for plus, `e` for equals.
  private static func operatorCharacter(_ letter: UInt8) -> UInt8 {
    let pairs: [(Character, Character)] = [
      ("a", "&"), ("c", "@"), ("d", "/"), ("e", "="), ("g", ">"), ("l", "<"), ("m", "*"), ("n", "!"), ("o", "|"),
      ("p", "+"), ("q", "?"), ("r", "%"), ("s", "-"), ("t", "~"), ("x", "^"), ("z", "."),
    ]
    return pairs.first { $0.0.asciiValue == letter }?.1.asciiValue ?? letter
  }

  /// A name; a private one is written with the file it is private to.
  private mutating func declarationName() throws(Malformed) -> String {
    if take("L") { return try localName() }
    guard take("P") else { return try identifier() }
    let file = try identifier()
    return "(\(try identifier()) in \(file))"
  }

  private mutating func localName() throws(Malformed) -> String {
    let number = try index()
    return try identifier() + " #\(number + 1)"
  }

  /// A module, a type, an extension or a function that something is declared in.
  private mutating func context() throws(Malformed) -> String {
    try nested { (reader) throws(Malformed) in
      switch reader.current {
      case UInt8(ascii: "S"): return try reader.substitution()
      case UInt8(ascii: "s"):
        reader.position += 1
        return "Swift"
      case UInt8(ascii: "C"), UInt8(ascii: "V"), UInt8(ascii: "O"): return try reader.nominal()
      case UInt8(ascii: "P"):
        reader.position += 1
        return try reader.protocolName()
      case UInt8(ascii: "E"):
        reader.position += 1
        let module = try reader.context()
        return "(extension in \(module)):" + (try reader.context())
      case UInt8(ascii: "G"): return try reader.type()
      case UInt8(ascii: "F"):
        reader.position += 1
        return try reader.entity()
      default: return reader.remember(try reader.identifier())
      }
    }
  }

  private mutating func nominal() throws(Malformed) -> String {
    position += 1
    let owner = try context()
    return remember(owner + "." + (try declarationName()))
  }

  private mutating func protocolName() throws(Malformed) -> String {
    if current == UInt8(ascii: "S") {
      let known = try substitution()
      guard !known.contains("."), known != "Swift" else { return known }
      return remember(known + "." + (try declarationName()))
    }
    let owner = try context()
    return remember(owner + "." + (try declarationName()))
  }

  private mutating func substitution() throws(Malformed) -> String {
    position += 1
    if take("o") { return "__C" }
    if take("C") { return "__C_Synthesized" }
    for (letter, name) in Self.known where take(letter) { return "Swift." + name }
    let place = try index()
    guard place < substitutions.count else { throw Malformed() }
    return substitutions[place]
  }

  private static let known: [(Unicode.Scalar, String)] = [
    ("a", "Array"), ("b", "Bool"), ("c", "UnicodeScalar"), ("d", "Double"), ("f", "Float"), ("i", "Int"),
    ("u", "UInt"), ("S", "String"), ("P", "UnsafePointer"), ("p", "UnsafeMutablePointer"), ("q", "Optional"),
    ("Q", "ImplicitlyUnwrappedOptional"), ("R", "UnsafeBufferPointer"), ("r", "UnsafeMutableBufferPointer"),
    ("V", "UnsafeRawPointer"), ("v", "UnsafeMutableRawPointer"),
  ]

  // MARK: Types

  private mutating func type() throws(Malformed) -> String {
    try nested { (reader) throws(Malformed) in try reader.typeHere() }
  }

  private mutating func typeHere() throws(Malformed) -> String {
    let letter = current
    switch letter {
    case UInt8(ascii: "C"), UInt8(ascii: "V"), UInt8(ascii: "O"): return try nominal()
    case UInt8(ascii: "S"): return try substitution()
    case UInt8(ascii: "a"): return try nominal()
    default: position += 1
    }
    switch letter {
    case UInt8(ascii: "B"): return try builtin()
    case UInt8(ascii: "G"): return remember(try boundGeneric())
    case UInt8(ascii: "T"): return try tuple(isVariadic: false)
    case UInt8(ascii: "t"): return try tuple(isVariadic: true)
    case UInt8(ascii: "F"), UInt8(ascii: "f"): return try function("")
    case UInt8(ascii: "b"): return try function("@convention(block) ")
    case UInt8(ascii: "c"): return try function("@convention(c) ")
    case UInt8(ascii: "R"): return "inout " + (try type())
    case UInt8(ascii: "M"): return try type() + ".Type"
    case UInt8(ascii: "P"): return try existential()
    case UInt8(ascii: "D"):
      _ = try type()
      return "Self"
    case UInt8(ascii: "K"): return "@autoclosure " + (try function(""))
    case UInt8(ascii: "u"):
      // One parameter, `u`, or none, `uz`; anything with constraints is left alone.
      let isEmpty = take("z")
      guard take("r") else { throw Malformed() }
      return (isEmpty ? "<>" : "<A>") + (try type())
    case UInt8(ascii: "X"):
      if take("o") { return "unowned " + (try type()) }
      if take("u") { return "unowned(unsafe) " + (try type()) }
      if take("w") { return "weak " + (try type()) }
      if take("M") { return try type() + ".Type" }
      throw Malformed()
    case UInt8(ascii: "x"): return "A"
    case UInt8(ascii: "q"):
      let place = try index()
      guard place < 25 else { throw Malformed() }
      return String(UnicodeScalar(UInt8(ascii: "B") + UInt8(place)))
    default: throw Malformed()
    }
  }

  private mutating func builtin() throws(Malformed) -> String {
    let names: [(Unicode.Scalar, String)] = [
      ("o", "NativeObject"), ("O", "UnknownObject"), ("b", "BridgeObject"), ("p", "RawPointer"), ("w", "Word"),
      ("B", "UnsafeValueBuffer"), ("t", "SILToken"),
    ]
    for (letter, name) in names where take(letter) { return "Builtin." + name }
    if take("v") {
      let count = try number()
      guard take("B") else { throw Malformed() }
      let element = try nested { (reader) throws(Malformed) in try reader.builtin() }
      return "Builtin.Vec\(count)x" + element.dropFirst("Builtin.".count)
    }
    let isFloat = take("f")
    guard isFloat || take("i") else { throw Malformed() }
    let width = try number()
    guard take("_") else { throw Malformed() }
    return "Builtin." + (isFloat ? "FPIEEE" : "Int") + String(width)
  }

  private mutating func boundGeneric() throws(Malformed) -> String {
    let base = try type()
    var arguments: [String] = []
    while !take("_") {
      guard arguments.count < 64 else { throw Malformed() }
      arguments.append(try type())
    }
    switch (base, arguments.count) {
    case ("Swift.Array", 1): return "[\(arguments[0])]"
    case ("Swift.Optional", 1): return arguments[0] + "?"
    case ("Swift.ImplicitlyUnwrappedOptional", 1): return arguments[0] + "!"
    case ("Swift.Dictionary", 2): return "[\(arguments[0]) : \(arguments[1])]"
    default: return base + "<" + arguments.joined(separator: ", ") + ">"
    }
  }

  private mutating func tuple(isVariadic: Bool) throws(Malformed) -> String {
    var elements: [String] = []
    while !take("_") {
      guard elements.count < 256 else { throw Malformed() }
      let label = current.isDigit ? try identifier() + ": " : ""
      elements.append(label + (try type()))
    }
    return "(" + elements.joined(separator: ", ") + (isVariadic ? "..." : "") + ")"
  }

  private mutating func function(_ convention: String) throws(Malformed) -> String {
    let effects = take("z") ? " throws" : ""
    var arguments = try type()
    if !arguments.hasPrefix("(") { arguments = "(" + arguments + ")" }
    return convention + arguments + effects + " -> " + (try type())
  }

  private mutating func existential() throws(Malformed) -> String {
    if take("M") { return try type() + ".Type" }
    var names: [String] = []
    while !take("_") {
      guard names.count < 64 else { throw Malformed() }
      names.append(try protocolName())
    }
    return names.isEmpty ? "Any" : names.joined(separator: " & ")
  }
}
