import ProcessMemory
import Symbolication
import Synchronization

/// Names for the addresses of a process: its images, with the symbols of each, read when they are first asked for.
///
/// ```swift
/// let symbols = try ProcessSymbols.of(4242)
/// symbols.symbol(at: address)?.symbol.name
/// ```
///
/// A table costs some ms to read and is shared by all processes that have the same image loaded. Any thread may ask.
public final class ProcessSymbols: Sendable {
  /// A symbol, where it was found.
  public struct Located: Hashable, Sendable {
    /// The symbol.
    public let symbol: Symbol
    /// The image.
    public let image: LoadedImage
    /// How far into the symbol the address is, in bytes.
    public let offset: UInt64
  }

  /// The images.
  public let images: ImageMap
  private let processID: Int32
  private let root: ProcRoot
  private let memory: any MemoryReader
  private let loaded: [Mutex<ImageSymbols?>.Box]

  /// The symbols of a process.
  ///
  /// - Throws: ``ProcessMemory/ProcessMemoryError``. Guarded like ptrace.
  public static func of(_ processID: Int32, root: ProcRoot = .live) throws(ProcessMemoryError) -> ProcessSymbols {
    ProcessSymbols(
      of: processID, images: try ImageMap.of(processID, root: root), memory: try ProcessMemoryReader(processID),
      root: root)
  }

  /// The symbols of a process whose images are known.
  public init(of processID: Int32, images: ImageMap, memory: any MemoryReader, root: ProcRoot = .live) {
    (self.processID, self.images, self.memory, self.root) = (processID, images, memory, root)
    loaded = images.images.map { _ in Mutex<ImageSymbols?>.Box(nil) }
  }

  /// The symbols of this process, read anew where images have been loaded or unloaded since the last time.
  ///
  /// - Throws: ``ProcessMemory/ProcessMemoryError`` where `/proc/self` cannot be read.
  public static func current() throws(ProcessMemoryError) -> ProcessSymbols { try CurrentSymbols.get() }

  /// The symbol whose range holds an address in memory; `nil` between symbols and outside of images.
  public func symbol(at address: UInt64) -> Located? {
    guard let index = images.index(containing: address) else { return nil }
    let image = images.images[index]
    let fileAddress = image.fileAddress(address)
    guard let symbol = symbols(ofImageAt: index).table?.symbol(at: fileAddress) else { return nil }
    return Located(symbol: symbol, image: image, offset: fileAddress &- symbol.address)
  }

  /// Why images have no symbols, of those that were asked about: one sentence each.
  public var problems: [String] {
    var found: [String] = []
    for box in loaded {
      guard let problem = box.mutex.withLock({ $0?.problem })?.description, !found.contains(problem) else { continue }
      found.append(problem)
    }
    return found
  }

  /// The symbols of the image at a place in ``images``.
  func symbols(ofImageAt index: Int) -> ImageSymbols {
    loaded[index].mutex.withLock { known in
      if let known { return known }
      let found = ImageSymbols.find(images.images[index], of: processID, memory: memory, root: root)
      known = found
      return found
    }
  }

  /// The same where they have been read already.
  func loadedSymbols(ofImageAt index: Int) -> ImageSymbols? { loaded[index].mutex.withLock { $0 } }

  /// Bytes of the process.
  func load<Value: BitwiseCopyable>(_ address: UInt64, as type: Value.Type = Value.self) -> Value? {
    memory.load(address, as: type)
  }
}

extension Mutex {
  /// A mutex that can stand in an array.
  final class Box: Sendable where Value: Sendable {
    let mutex: Mutex<Value>
    init(_ value: Value) { mutex = Mutex(value) }
  }
}

/// The symbols of this process, for as long as its images stay the same.
private enum CurrentSymbols {
  private static let known = Mutex<(generation: UInt64, symbols: ProcessSymbols)?>(nil)

  static func get() throws(ProcessMemoryError) -> ProcessSymbols {
    let generation = ImageGeneration.current
    if let known = known.withLock({ $0 }), known.generation == generation { return known.symbols }
    let found = try ProcessSymbols.of(ProcessIdentity.currentProcessID)
    known.withLock { $0 = (generation, found) }
    return found
  }
}
