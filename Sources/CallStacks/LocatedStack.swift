import Symbolication

/// A stack as places in files: made with ``CallStack/located()``, kept or sent as it is, and given names later, in another process
/// or on another machine that has the same files.
public struct LocatedStack: Hashable, Sendable, Codable {
  /// A frame as a place in a file.
  public struct Frame: Hashable, Sendable, Codable {
    /// The path of the image; `nil` for code outside of all images.
    public let image: String?
    /// Which build of it: another one is never asked for names.
    public let buildID: String?
    /// The address as the image's file counts it.
    public let offset: UInt64
    /// Whether a call returns there.
    public let isReturnAddress: Bool
    /// Not on the stack: it awaits the frame before it.
    public let isAwaiting: Bool
    /// Below a resumed asynchronous function.
    public let isExecutor: Bool
  }

  /// The frames, the innermost first.
  public let frames: [Frame]
  /// Why there are no more.
  public let end: StackEnd

  /// The stack with names. Images are looked for under their paths, and must have the same build-id; images without one are
  /// shown as module and offset, since nothing says that the file is still the same.
  public func symbolicated(options: SymbolicationOptions = SymbolicationOptions()) -> SymbolicatedStack {
    var symbolicator = Symbolicator(options)
    var known: [String: ImageSymbols] = [:]
    var found: [StackFrame] = []
    for frame in frames {
      let address = StackAddress(
        address: frame.offset, isReturnAddress: frame.isReturnAddress, isAwaiting: frame.isAwaiting,
        isExecutor: frame.isExecutor)
      var symbols: ImageSymbols?
      if let path = frame.image, let buildID = frame.buildID {
        symbols = known[buildID] ?? ImageSymbols.find(path: path, buildID: buildID)
        known[buildID] = symbols
      }
      let name = frame.image.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
      symbolicator.append(address, offset: frame.offset, module: name, symbols, to: &found)
    }
    let problems = Set(known.values.compactMap { $0.problem?.description }).sorted()
    return SymbolicatedStack(
      frames: found, end: end, framesWithoutTime: symbolicator.framesWithoutTime, problems: problems)
  }
}
