import Symbolication

/// A frame of a stack, or a function that was inlined into one, with its name.
public struct StackFrame: Hashable, Sendable {
  /// What a frame is to a reader.
  public enum Kind: String, Sendable, Codable {
    /// Code that someone wrote.
    case function
    /// A piece that the compiler made to fit one convention to another.
    case thunk
    /// The Swift runtime, dispatch, or what starts a thread.
    case runtime
    /// Below a resumed asynchronous function: what runs it, not who called it.
    case executor
  }

  /// Where the frame goes on, in memory; a return address but in the innermost frame.
  public var address: UInt64
  /// The function as one would say it, `Parser.scan(_:)`; `nil` for an address outside of every symbol.
  public var function: String?
  /// The function with modules and types.
  public var fullFunction: String?
  /// The function as the linker knows it.
  public var symbol: String?
  /// The file name of the image; `nil` for code outside of all images.
  public var module: String?
  /// The address as the image's file counts it; the address itself outside of all images.
  public var offset: UInt64
  /// The source file, as the compiler was given it; `nil` without debug information.
  public var file: String?
  /// The line in it, from 1.
  public var line: Int?
  /// Inlined into the frame that follows: there was no call.
  public var isInlined: Bool
  /// A part of an asynchronous function.
  public var isAsync: Bool
  /// Not on the stack: it awaits the frame before it, and goes on here.
  public var isAwaiting: Bool
  /// What it is to a reader.
  public var kind: Kind
  /// Found without unwind information: frames between this one and the one before may be missing.
  public var isGuessed: Bool

  /// `libshop.so+0x4f10` for what has no name; `0x7f0012` outside of all images.
  public var placeInModule: String {
    let number = "0x" + String(offset, radix: 16)
    return module.map { "\($0)+\(number)" } ?? number
  }
}

extension StackFrame: Codable {
  private enum CodingKeys: String, CodingKey {
    case function, module, offset, file, line, inlined, async, awaiting, kind, guessed, address, symbol
    case fullFunction = "full_function"
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    address = try values.decode(UInt64.self, forKey: .address)
    function = try values.decodeIfPresent(String.self, forKey: .function)
    fullFunction = try values.decodeIfPresent(String.self, forKey: .fullFunction)
    symbol = try values.decodeIfPresent(String.self, forKey: .symbol)
    module = try values.decodeIfPresent(String.self, forKey: .module)
    offset = try values.decode(UInt64.self, forKey: .offset)
    file = try values.decodeIfPresent(String.self, forKey: .file)
    line = try values.decodeIfPresent(Int.self, forKey: .line)
    isInlined = try values.decode(Bool.self, forKey: .inlined)
    isAsync = try values.decode(Bool.self, forKey: .async)
    isAwaiting = try values.decode(Bool.self, forKey: .awaiting)
    kind = try values.decode(Kind.self, forKey: .kind)
    isGuessed = try values.decode(Bool.self, forKey: .guessed)
  }

  /// The keys are part of what the tools promise.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(address, forKey: .address)
    try values.encodeIfPresent(function, forKey: .function)
    try values.encodeIfPresent(fullFunction, forKey: .fullFunction)
    try values.encodeIfPresent(symbol, forKey: .symbol)
    try values.encodeIfPresent(module, forKey: .module)
    try values.encode(offset, forKey: .offset)
    try values.encodeIfPresent(file, forKey: .file)
    try values.encodeIfPresent(line, forKey: .line)
    try values.encode(isInlined, forKey: .inlined)
    try values.encode(isAsync, forKey: .async)
    try values.encode(isAwaiting, forKey: .awaiting)
    try values.encode(kind, forKey: .kind)
    try values.encode(isGuessed, forKey: .guessed)
  }
}
